import { readStored, store } from './dom.js';

// The key is never in a URL, and never stored longer than the tab is open. If the browser refuses to store it, this page keeps it.
// In a browser that is signed in, a cookie that no script can read stands for the key. Scripts then use `sessionKey` as the key.

export const sessionKey = 'session';
/** Stored under this name, for every tab: whether this browser is signed in. */
export const sessionName = 'masthead-signed-in';

const keyName = 'masthead-key';

/** The key, if it could not be stored. @type {string | null} */
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
    // A tab without a key of its own uses the session, so forgetting the key ends that.
    if (key === null && sessionStorage.getItem(keyName) === null) localStorage.removeItem(sessionName);
    if (key === sessionKey) localStorage.setItem(sessionName, '1');
    if (key === null || key === sessionKey) sessionStorage.removeItem(keyName);
    else sessionStorage.setItem(keyName, key);
  } catch {
    unstored = key;
  }
}

/** Whether the page shows a new key that was not copied. It would be lost, so the browser asks before it leaves the page. */
let isUncopied = false;

/** @param {boolean} uncopied */
export function noteUncopied(uncopied) {
  isUncopied = uncopied;
}

addEventListener('beforeunload', (event) => {
  if (isUncopied) event.preventDefault();
});
addEventListener('copy', () => noteUncopied(false));

/** Keeps the claim tokens of orders in this browser until the key is claimed, because the payment may end in another tab. Never in a URL. */
const ordersName = 'masthead-orders';

/** @param {string} orderId @returns {string | null} */
export function findClaimToken(orderId) {
  return readStored(ordersName)[orderId] ?? null;
}

/** The orders whose keys this browser can claim, the newest first. @returns {string[]} */
export function listOrders() {
  return Object.keys(readStored(ordersName)).reverse();
}

/** Returns false if the browser refuses to store it. @param {string} orderId @param {string} claimToken */
export function keepClaimToken(orderId, claimToken) {
  return store(ordersName, { ...readStored(ordersName), [orderId]: claimToken });
}

/** @param {string} orderId */
export function forgetClaimToken(orderId) {
  const { [orderId]: _, ...otherOrders } = readStored(ordersName);
  store(ordersName, otherOrders);
}
