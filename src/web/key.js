import { store } from './dom.js';

/*
 * The key stays in this tab: sessionStorage ends with it. It is never in a URL, or in any storage that outlives the
 * tab. Where the browser refuses storage, the key stays in this page. In a browser that is signed in, a cookie that no script
 * can read stands for the key, and `sessionKey` for the cookie.
 */

/** Stands for the key where the cookie of a session does. */
export const sessionKey = 'session';
/** Where every tab of this browser sees that it is signed in. */
export const sessionName = 'masthead-signed-in';

const keyName = 'masthead-key';

/** The key, where it could not be stored. @type {string | null} */
let unstored = null;

/** The key of this tab, or `sessionKey`; null without one. */
export function readKey() {
  try {
    const isSignedIn = localStorage.getItem(sessionName) !== null;
    return unstored ?? sessionStorage.getItem(keyName) ?? (isSignedIn ? sessionKey : null);
  } catch {
    return unstored;
  }
}

/** @param {string | null} key */
export function keepKey(key) {
  unstored = null;
  try {
    // Without a key of its own, a tab forgets the session.
    if (key === null && sessionStorage.getItem(keyName) === null) localStorage.removeItem(sessionName);
    if (key === sessionKey) localStorage.setItem(sessionName, '1');
    if (key === null || key === sessionKey) sessionStorage.removeItem(keyName);
    else sessionStorage.setItem(keyName, key);
  } catch {
    unstored = key;
  }
}

/** Forgets this key; a newer one stays. @param {string} key */
export function forgetKey(key) {
  if (readKey() === key) keepKey(null);
}

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

/*
 * The claim tokens of orders started in this browser, until their key is claimed. Payment may end in another tab, so
 * they are in localStorage; never in a page's URL.
 */

const ordersName = 'masthead-orders';

/** @returns {Record<string, string>} */
function readAll() {
  try {
    return JSON.parse(localStorage.getItem(ordersName) ?? '{}');
  } catch {
    return {};
  }
}

/** @param {string} orderId */
export function findClaimToken(orderId) {
  return readAll()[orderId] ?? null;
}

/**
 * Returns false where the browser stores nothing.
 * @param {string} orderId
 * @param {string} claimToken
 */
export function keepClaimToken(orderId, claimToken) {
  return store(ordersName, { ...readAll(), [orderId]: claimToken });
}

/** @param {string} orderId */
export function forgetClaimToken(orderId) {
  const { [orderId]: _, ...others } = readAll();
  store(ordersName, others);
}
