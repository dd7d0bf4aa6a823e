// Stands in for a PDF library that a hostile document keeps busy for ever.
exports.getDocumentProxy = () => {
  new BroadcastChannel('hanging-reader').postMessage('busy');
  for (;;);
};
