/*
 * The key stays in this tab: sessionStorage ends with it. It is never in a URL, or in any storage that outlives the
 * tab. Where the browser refuses storage, the key stays in this page.
 */

const name = 'masthead-key';

/** The key, where it could not be stored. @type {string | null} */
let unstored = null;

/** The key of this tab; null without one. */
export function readKey() {
  try {
    return unstored ?? sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string | null} key */
export function keepKey(key) {
  unstored = null;
  try {
    if (key === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, key);
  } catch {
    unstored = key;
  }
}

/** Forgets this key; a newer one stays. @param {string} key */
export function forgetKey(key) {
  if (readKey() === key) keepKey(null);
}
