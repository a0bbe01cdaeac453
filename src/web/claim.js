import { lookUpKey } from './account.js';
import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { findClaimToken, forgetClaimToken, keepKey, listOrders, noteUncopied, readKey } from './key.js';
import { placeOf, show } from './page.js';
import { FaultCard } from './views/fault.js';
import { KeyCard } from './views/parts.js';
import { date, word } from './words.js';

const pollMs = 5_000;

const place = placeOf('#page');
let orderId = new URLSearchParams(location.search).get('order_id')?.trim() ?? '';
/** @type {string | null} */
let claimToken = findClaimToken(orderId);
/** @type {any} */
let order = null;
/** The key, once this page has it. It is never shown again. @type {string | null} */
let apiKey = null;
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;

/** Checks the order, repeatedly while it is pending. */
async function look() {
  if (orderId === '' || claimToken === null) return draw();
  const query = new URLSearchParams({ claim_token: claimToken });
  try {
    order = await askJson(`orders/${encodeURIComponent(orderId)}?${query}`, { key: null });
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

/** Ends the checks of an order that gives no key. If it renewed the key of this tab, the page shows its new end. */
async function finish() {
  // An order that expired or failed may still be paid. Then its key is claimed with the token, so the token stays.
  if (order.status === 'paid' || order.status === 'refunded') forgetClaimToken(orderId);
  await lookUpKey();
}

/** @param {string} key */
async function take(key) {
  apiKey = key;
  noteUncopied(true);
  keepKey(key);
  forgetClaimToken(orderId);
  draw();
  /** @type {HTMLElement | null} */ (place.querySelector('#key-heading'))?.focus();
  await lookUpKey();
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
  show(
    () => html`<h1>Your key</h1> ${fault === null ? null : html`<${FaultCard} fault=${fault} />`} ${viewOrder()}`,
    place,
  );
}

function viewOrder() {
  if (apiKey !== null)
    return html`<${KeyCard} heading="Here is your ${word(order.tier)} key" apiKey=${apiKey}>
      <p>It works until ${date(order.plan_expires_at)}. This tab already uses it:</p>
      <p><a class="button" href="./">Search with full addresses</a> <a href="account">Your key and its use</a></p>
    </${KeyCard}>`;
  if (order !== null)
    return html`<div class="card">
      <p class="note">${word(order.tier)} plan, order <code>${order.order_id}</code></p>
      ${order.status === 'paid' && order.renews !== null ? viewRenewal() : viewStatus[order.status]?.()}
    </div>`;
  if (claimToken !== null && orderId !== '')
    return fault === null ? html`<p role="status">Looking up your order…</p>` : null;
  return html`<form class="card" onSubmit=${onSubmit}>
    ${orderId === '' ? viewOrders() : html`<p>This browser does not have the claim token of this order, or has shown the key and forgotten it. API clients received it with the order.</p>`}
    ${readKey() === null ? null : html`<p class="hint">This tab still uses a key. If you did not copy it, <a href="account">replace it</a> to see a new one.</p>`}
    <label for="order">Order number</label>
    <input id="order" name="order" autocomplete="off" spellcheck=${false} required defaultValue=${orderId} />
    <label for="token">Claim token</label>
    <input id="token" name="token" type="password" autocomplete="off" required />
    <button>Claim key</button>
  </form>`;
}

/** Who did not come back from the payment does not know the number of the order. */
function viewOrders() {
  const orders = listOrders();
  if (orders.length === 0)
    return html`<p>This browser has no order whose key it could claim. Use the browser that you bought with, or enter what an API client received:</p>`;
  return html`<p>Orders from this browser, the newest first:</p>
    <ul>${orders.map((id) => html`<li><a href="claim?order_id=${id}">${id}</a></li>`)}</ul>
    <p>Or enter what an API client received:</p>`;
}

/** @type {Record<string, () => any>} */
const viewStatus = {
  pending:
    () => html`<p role="status"><strong>Waiting for your payment.</strong> This page checks every five seconds. Keep it open.</p>
    <progress aria-label="Waiting for the payment"></progress>`,
  paid: () => html`<p>
    <strong>Paid, and the key was given out${order.key_claimed_at === null ? null : ` on ${date(order.key_claimed_at)}`}.</strong>${' '}
    It is shown only once. If you lost it, ask the operator for a new one and give the order number.
  </p>`,
  refunded: () => html`<p>
    <strong>This order was refunded.</strong>${' '}
    ${order.renews === null ? 'Its key no longer works.' : 'The days that it added to your key are taken back.'}
  </p>`,
  expired: () =>
    html`<p><strong>The checkout has expired.</strong> Nothing was paid. <a href="plans">Start again</a></p>`,
  failed: () =>
    html`<p><strong>The payment did not go through.</strong> Nothing was bought. <a href="plans">Try again</a></p>`,
};

function viewRenewal() {
  const key = html`Your key <code>${order.renews}…</code>`;
  if (order.plan_expires_at === null)
    return html`<p><strong>Paid, but the payment is disputed.</strong> ${key} gets its days when the dispute is settled.</p>`;
  return html`<p role="status">
      <strong>Paid. ${key} is renewed until ${date(order.plan_expires_at)}.</strong> It stays the same key: there is nothing to change.
    </p>
    <p><a class="button" href="./">Search with full addresses</a></p>`;
}

// Removes what the server shows without JavaScript.
place.replaceChildren();
draw();
look();
