// Stands in for a PDF library that inflates a hostile stream: memory outside of the heap, which no limit of the thread bounds.
exports.getDocumentProxy = () => {
  const held = [];
  for (;;) held.push(new Uint8Array(16 * 1024 * 1024).fill(1));
};
