import { startAccount } from './account.js';
import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { findClaimToken, forgetClaimToken, keepKey, noteCopied, noteShown, readKey } from './key.js';
import { placeOf, show } from './page.js';
import { Claim } from './views/claim.js';

/** How often a pending order is checked, in milliseconds. */
const pollMs = 5_000;

const place = placeOf('#page');
let orderId = new URLSearchParams(location.search).get('order_id')?.trim() ?? '';
/** @type {string | null} */
let claimToken = findClaimToken(orderId);
/** @type {any} */
let order = null;
/** The key, once this page has it. It is shown here and nowhere again. */
/** @type {string | null} */
let apiKey = null;
/** Whether the key that the order renewed is no longer accepted. */
let isRevoked = false;
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;

/** Checks the order, repeatedly while it is pending. */
async function look() {
  if (orderId === '' || claimToken === null) return draw();
  try {
    order = await askJson(`orders/${encodeURIComponent(orderId)}?${new URLSearchParams({ claim_token: claimToken })}`, {
      key: null,
    });
    fault = null;
    if (order.api_key) await take(order.api_key);
    else if (order.status === 'pending') setTimeout(look, pollMs);
    else await finish();
  } catch (error) {
    fault = faultOf(error);
    if (fault.status === 404) claimToken = null;
    else setTimeout(look, (fault.retryAfter ?? 5) * 1000);
  }
  draw();
}

/** The order has no key to give, or none yet; if it renewed the key of this tab, its new end is shown. */
async function finish() {
  // A payment may still come for an order that expired or failed, and then its key is claimed with the token.
  if (order.status === 'paid' || order.status === 'refunded') forgetClaimToken(orderId);
  draw();
  if (order.renews === null) return;
  const isOurs = readKey()?.startsWith(order.renews) ?? false;
  await startAccount(() => {});
  isRevoked = isOurs && readKey() === null;
}

/** @param {string} key */
async function take(key) {
  apiKey = key;
  noteShown(key);
  keepKey(key);
  forgetClaimToken(orderId);
  draw();
  /** @type {HTMLElement | null} */ (place.querySelector('#key-heading'))?.focus();
  await startAccount(() => {});
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  event.preventDefault();
  const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
  orderId = String(given.get('order') ?? '').trim();
  claimToken = String(given.get('token') ?? '').trim();
  look();
}

function draw() {
  const isLooking = claimToken !== null && orderId !== '';
  const props = { order, orderId, isLooking, apiKey, isRevoked, fault, onSubmit, onCopy: noteCopied };
  show(() => html`<${Claim} ...${props} />`, place);
}

// What the server says to those without JavaScript.
place.replaceChildren();
draw();
look();
startAccount(() => {});
