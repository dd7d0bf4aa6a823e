// class-validator loads 200 KB of rules for phone numbers with its first import. No field here is a phone number.
module.exports = {};
