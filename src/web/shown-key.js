/*
 * A key that is on the screen and not copied is lost with the page.
 */

/** The key that is shown and was not copied yet. @type {string | null} */
let shown = null;

/** A new key is shown: leaving the page is asked about until it was copied. @param {string} key */
export function noteShown(key) {
  shown = key;
}

/** Whether a key is shown that was not copied yet. */
export function isUncopied() {
  return shown !== null;
}

/** The key was copied, or is not shown any more. */
export function noteCopied() {
  shown = null;
}

addEventListener('beforeunload', (event) => {
  if (shown !== null) event.preventDefault();
});
addEventListener('copy', () => {
  // Another text of the page, or a part of the key, is not the key.
  if (shown !== null && String(getSelection()).includes(shown)) noteCopied();
});
