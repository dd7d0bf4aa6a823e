/** What a web page is that came in place of data. */
export type PageKind = 'captcha' | 'consent' | 'not_json';

/** True where a body is HTML and not data. */
export function isWebPage(body: string): boolean {
  return /^\s*(?:<!--|<!doctype\s+html|<html|<head|<body)/i.test(body.slice(0, 500));
}

/** Tells Google's captcha and YouTube's cookie consent from any other page, by the addresses that their forms go to. */
export function pageKind(html: string): PageKind {
  if (/class=["']g-recaptcha|\/sorry\/index|google\.com\/sorry\//i.test(html)) return 'captcha';
  if (/(?:action|href)=["']https:\/\/consent\.(?:youtube|google)\.com\//i.test(html)) return 'consent';
  return 'not_json';
}

/** The same for where a redirect leads; undefined for any other place. */
export function redirectKind(location: string): PageKind | undefined {
  if (/^https:\/\/(?:www\.)?google\.com\/sorry\//i.test(location)) return 'captcha';
  if (/^https:\/\/consent\.(?:youtube|google)\.com\//i.test(location)) return 'consent';
  return undefined;
}
