/** The URL, where a browser may be sent there: data may hold anything. @param {string | null} url */
export function safeUrl(url) {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}

/** The host that a person reads: example.org. Null where there is none. @param {string | null} url */
export function hostOf(url) {
  if (safeUrl(url) === null || !URL.canParse(url ?? '')) return null;
  return new URL(url ?? '').host.replace(/^www\./, '');
}
