/** The kind of a web page that came instead of data. */
export type PageKind = 'captcha' | 'consent' | 'not_json';

/** True when a body is HTML and not data. */
export function isWebPage(body: string): boolean {
  return /^\s*(?:<!--|<!doctype\s+html|<html|<head|<body)/i.test(body.slice(0, 500));
}

/** Recognises Google's captcha and YouTube's cookie consent by the addresses of their forms. */
export function pageKind(html: string): PageKind {
  if (/class=["']g-recaptcha|\/sorry\/index|google\.com\/sorry\//i.test(html)) return 'captcha';
  if (/(?:action|href)=["']https:\/\/consent\.(?:youtube|google)\.com\//i.test(html)) return 'consent';
  return 'not_json';
}

/** The same for the target of a redirect; undefined for any other target. */
export function redirectKind(location: string): PageKind | undefined {
  if (/^https:\/\/(?:www\.)?google\.com\/sorry\//i.test(location)) return 'captcha';
  if (/^https:\/\/consent\.(?:youtube|google)\.com\//i.test(location)) return 'consent';
  return undefined;
}
