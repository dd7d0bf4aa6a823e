export * from './languages.js';
export * from './number-words.js';
export * from './printable.js';
export * from './tokens.js';
export * from './stopwords.js';
export * from './detect-language.js';
export * from './each-word.js';
export * from './function-words.js';
