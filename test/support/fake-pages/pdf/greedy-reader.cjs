// Stands in for a PDF library that a hostile document makes take all the memory there is.
exports.getDocumentProxy = () => {
  const held = [];
  for (;;) held.push(new Array(100_000).fill({}));
};
