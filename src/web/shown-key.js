/*
 * A key that is on the screen and not copied is lost with the page.
 */

let isShown = false;

/** A new key is shown: leaving the page is asked about until it was copied. */
export function noteShown() {
  isShown = true;
}

/** The key was copied. */
export function noteCopied() {
  isShown = false;
}

addEventListener('beforeunload', (event) => {
  if (isShown) event.preventDefault();
});
addEventListener('copy', noteCopied);
