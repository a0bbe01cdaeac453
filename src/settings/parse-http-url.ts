/** An http(s) URL without query and fragment; null if the text is not one. */
export function parseHttpUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(text) ? url : null;
}
