/** The web pages that YouTube and Google send in place of data. */

export const CAPTCHA_PAGE = `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<html><head><title>https://www.youtube.com/</title></head><body>
<form id="captcha-form" action="index" method="post"><div id="recaptcha" class="g-recaptcha" data-sitekey="x"></div></form>
Our systems have detected unusual traffic from your computer network.</body></html>`;

export const CONSENT_PAGE = `<!DOCTYPE html><html lang="de"><head><title>Bevor du zu YouTube weitergehst</title></head><body>
<form action="https://consent.youtube.com/save" method="POST"><input type="hidden" name="continue" value="https://www.youtube.com/">
<button>Alle akzeptieren</button></form></body></html>`;

export const ERROR_PAGE = `<!DOCTYPE html><html lang="en"><head><title>Oops</title></head><body><p>Something went wrong.</p></body></html>`;

/** The watch page as far as other extractors read it: the player response inside a script. */
export function watchPage(playerResponse) {
  const json = JSON.stringify(playerResponse).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html><html lang="en"><head><title>YouTube</title>
<script nonce="x">ytcfg.set({"INNERTUBE_API_KEY":"AIzaSyFakeFakeFakeFakeFakeFakeFakeFake00","INNERTUBE_CLIENT_VERSION":"2.20260708.00.00","VISITOR_DATA":"Cgtmake"});</script>
</head><body><script nonce="x">var ytInitialPlayerResponse = ${json};</script></body></html>`;
}
