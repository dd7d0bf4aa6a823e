export * from './languages.js';
export * from './tokens.js';
export * from './stopwords.js';
