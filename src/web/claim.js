import { html, nothing, render } from 'lit-html';
import { startAccount } from './account.js';
import { askJson, explain } from './api.js';
import { copyButton } from './copy-button.js';
import { formatDate, sentence } from './format.js';
import { keepKey } from './key.js';
import { findClaimToken, forgetClaimToken } from './orders.js';

/** How often a pending order is checked, in milliseconds. */
const pollMs = 5_000;

const place = /** @type {HTMLElement} */ (document.querySelector('#page'));
let orderId = new URLSearchParams(location.search).get('order_id')?.trim() ?? '';
/** @type {string | null} */
let claimToken = findClaimToken(orderId);
/** @type {any} */
let order = null;
/** The key, once this page has it. It is shown here and nowhere again. */
/** @type {string | null} */
let apiKey = null;
/** @type {ReturnType<typeof explain> | null} */
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
    fault = explain(error);
    if (fault.status === 404) claimToken = null;
    else setTimeout(look, (fault.retryAfter ?? 5) * 1000);
  }
  draw();
}

/** The order has nothing more to give; if it renewed the key of this tab, its new end is shown. */
async function finish() {
  forgetClaimToken(orderId);
  draw();
  if (order.renews !== null) await startAccount(() => {});
}

/** @param {string} key */
async function take(key) {
  apiKey = key;
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

// A key that is on the screen and not copied is lost with the page.
addEventListener('beforeunload', (event) => {
  if (apiKey !== null && !isKept) event.preventDefault();
});
let isKept = false;
addEventListener('copy', () => {
  isKept = true;
});

function draw() {
  render(view(), place);
}

function view() {
  return html`<h1>Your key</h1>
    ${fault === null ? nothing : html`<div class="fault" role="alert"><h2>${fault.title}</h2><p>${fault.advice}</p></div>`}
    ${apiKey === null ? (order === null ? viewForm() : viewOrder(order)) : viewKey(apiKey)}`;
}

/** @param {string} key */
function viewKey(key) {
  return html`<div class="card key-card">
    <h2 id="key-heading" tabindex="-1">Here is your ${sentence(order.tier)} key</h2>
    <p class="warning"><strong>Copy it now and keep it safe.</strong> It is shown only once; we store only a hash of it.</p>
    <pre tabindex="0" aria-label="Your key"><code>${key}</code></pre>
    ${copyButton(() => {
      isKept = true;
      return key;
    })}
    <p>It works until ${formatDate(order.plan_expires_at)}. This tab already uses it:</p>
    <p><a class="button" href="./">Search with full addresses</a></p>
  </div>`;
}

/** @param {any} shown */
function viewOrder({ status, tier, key_claimed_at, plan_expires_at, renews, order_id }) {
  /** @type {Record<string, unknown>} */
  const words = {
    pending: html`<p role="status"><strong>Waiting for your payment.</strong> This page checks every five seconds. Keep it open.</p>
      <progress aria-label="Waiting for the payment"></progress>`,
    paid:
      renews !== null
        ? viewRenewed(renews, plan_expires_at)
        : html`<p><strong>Paid, and the key was given out</strong>${key_claimed_at ? ` on ${formatDate(key_claimed_at)}` : ''}. It is shown only once. If you lost it, ask the operator for a new one and give the order number.</p>`,
    refunded: html`<p><strong>This order was refunded.</strong> ${renews === null ? 'Its key no longer works.' : 'The days that it added to your key are taken back.'}</p>`,
    expired: html`<p><strong>The checkout has expired.</strong> Nothing was paid. <a href="plans">Start again</a></p>`,
    failed: html`<p><strong>The payment did not go through.</strong> Nothing was bought. <a href="plans">Try again</a></p>`,
  };
  return html`<div class="card">
    <p class="note">${sentence(tier)} plan, order <code>${order_id}</code></p>
    ${words[status]}
  </div>`;
}

/**
 * @param {string} prefix of the key
 * @param {string | null} end null while the payment is disputed
 */
function viewRenewed(prefix, end) {
  const key = html`Your key <code>${prefix}…</code>`;
  return end === null
    ? html`<p><strong>Paid, but the payment is disputed.</strong> ${key} gets its days when the dispute is settled.</p>`
    : html`<p role="status"><strong>Paid. ${key} is renewed until ${formatDate(end)}.</strong> It stays the same key: there is nothing to change.</p>
      <p><a class="button" href="./">Search with full addresses</a></p>`;
}

function viewForm() {
  if (claimToken !== null && fault === null && orderId !== '') return html`<p role="status">Looking up your order…</p>`;
  if (claimToken !== null && fault?.status !== 404 && fault !== null) return nothing;
  return html`<form class="card claim-form" @submit=${onSubmit}>
    <p>This browser does not have the claim token of this order. You received it when you placed the order.</p>
    <label for="order">Order number</label>
    <input id="order" name="order" autocomplete="off" spellcheck="false" required .value=${orderId} />
    <label for="token">Claim token</label>
    <input id="token" name="token" type="password" autocomplete="off" required />
    <button>Claim key</button>
  </form>`;
}

draw();
look();
startAccount(() => {});
