// Stands in for a PDF library that finds more text than anybody wants.
exports.getDocumentProxy = () => ({});
exports.extractText = () => ({ text: Array(30).fill('word '.repeat(10_000)) });
exports.getMeta = () => Promise.resolve({ info: {} });
