import { store } from './storage.js';

/*
 * The claim tokens of orders started in this browser, until their key is claimed. Payment may end in another tab, so
 * they are in localStorage; never in a page's URL.
 */

const name = 'masthead-orders';

/** @returns {Record<string, string>} */
function readAll() {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}');
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
  return store(name, { ...readAll(), [orderId]: claimToken });
}

/** @param {string} orderId */
export function forgetClaimToken(orderId) {
  const { [orderId]: _, ...others } = readAll();
  store(name, others);
}
