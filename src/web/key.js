import { readStored, store } from './dom.js';

// The key is never in a URL, or in storage that outlives the tab. Where storage is refused, it stays in this page.
// In a browser that is signed in, a cookie that no script can read stands for the key, and `sessionKey` for the cookie.

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

/** Whether a new key is on the screen that was not copied: it is lost with the page, so leaving is asked about. */
let isUncopied = false;

/** @param {boolean} uncopied */
export function noteUncopied(uncopied) {
  isUncopied = uncopied;
}

addEventListener('beforeunload', (event) => {
  if (isUncopied) event.preventDefault();
});
addEventListener('copy', () => noteUncopied(false));

/** Where this browser keeps the claim tokens of its orders until their key is claimed: payment may end in another tab. Never in a URL. */
const ordersName = 'masthead-orders';

/** @param {string} orderId @returns {string | null} */
export function findClaimToken(orderId) {
  return readStored(ordersName)[orderId] ?? null;
}

/** Returns false where the browser stores nothing. @param {string} orderId @param {string} claimToken */
export function keepClaimToken(orderId, claimToken) {
  return store(ordersName, { ...readStored(ordersName), [orderId]: claimToken });
}

/** @param {string} orderId */
export function forgetClaimToken(orderId) {
  const { [orderId]: _, ...others } = readStored(ordersName);
  store(ordersName, others);
}
