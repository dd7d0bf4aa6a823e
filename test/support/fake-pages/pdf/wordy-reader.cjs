// Stands in for a PDF library that finds more text than anybody wants.
const page = {
  getTextContent: () => Promise.resolve({ items: [{ str: 'word '.repeat(10_000) }] }),
  cleanup: () => undefined,
};
exports.getDocumentProxy = () => ({ numPages: 30, getPage: () => Promise.resolve(page) });
exports.getMeta = () => Promise.resolve({ info: {} });
