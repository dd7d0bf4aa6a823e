// The package is one JSON file; an ES module of the tests would need an import attribute for it, a CommonJS one does not.
module.exports = require('../../node_modules/stopwords-iso/stopwords-iso.json');
