/*
 * The key stays in this tab: sessionStorage ends with it. It is never in a URL, or in any storage that outlives the
 * tab.
 */

const name = 'masthead-key';

export function readKey() {
  return sessionStorage.getItem(name);
}

/** @param {string | null} key */
export function keepKey(key) {
  if (key === null) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, key);
}

/** Forgets this key; a newer one stays. @param {string} key */
export function forgetKey(key) {
  if (readKey() === key) keepKey(null);
}
