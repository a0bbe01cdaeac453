import { lookUpKey, signIn } from './account.js';
import { askJson, faultOf, secondsUntilRetry } from './api.js';
import { html } from './dom.js';
import { findClaimToken, forgetClaimToken, keepKey, listOrders, noteUncopied, readKey } from './key.js';
import { readOrders } from './orders.js';
import { data, placeOf, show } from './page.js';
import { FaultCard } from './views/fault.js';
import { OrderLine } from './views/order-line.js';
import { KeyCard } from './views/parts.js';
import { date, word } from './words.js';

const pollMs = 5_000;

const place = placeOf('#page');
let orderId = new URLSearchParams(location.search).get('order_id')?.trim() ?? '';
/** @type {string | null} */
let claimToken = findClaimToken(orderId);
/** @type {any} */
let order = null;
/** Without the number of an order: what is known of those of this browser. @type {import('./views/order-line.js').Order[]} */
let ofBrowser = [];
/** The key, once this page has it. It is never shown again. @type {string | null} */
let apiKey = null;
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;
let isSignedIn = false;

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
    else setTimeout(look, secondsUntilRetry(fault) * 1000);
  }
  draw();
}

/** Ends the checks of an order that gives no key. If it renewed the key of this tab, the page shows its new end. */
async function finish() {
  // An order that expired or failed may still be paid. Then its key is claimed with the token, so the token stays.
  if (order.status === 'paid' || order.status === 'refunded') forgetClaimToken(orderId);
  await lookUpKey();
}

/** Shows the key, and signs this browser in: should the tab end before the key is copied, its buyer makes another one. @param {string} key */
async function take(key) {
  apiKey = key;
  noteUncopied(true);
  try {
    keepKey(await signIn(key));
    isSignedIn = true;
  } catch (error) {
    faultOf(error);
    keepKey(key);
  }
  forgetClaimToken(orderId);
  draw();
  /** @type {HTMLElement | null} */ (place.querySelector('#key-heading'))?.focus();
  await lookUpKey();
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  event.preventDefault();
  const fields = new FormData(/** @type {HTMLFormElement} */ (event.target));
  orderId = String(fields.get('order') ?? '').trim();
  claimToken = String(fields.get('token') ?? '').trim();
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
      <p>It works until ${date(order.plan_expires_at)}.${' '}
        ${
          isSignedIn
            ? html`This browser is signed in: only your programs need the key. If you lose it, <a href="account">get another one</a>.`
            : 'This tab already uses it.'
        }
      </p>
      <p><a class="button" href="./">Search with full addresses</a></p>
    </${KeyCard}>`;
  if (order !== null)
    return html`<div class="card">
      <p><${OrderLine} order=${order} />, order <code>${order.order_id}</code></p>
      ${order.status === 'paid' && order.renews !== null ? viewRenewal() : viewStatus[order.status]?.()}
    </div>`;
  if (claimToken !== null && orderId !== '')
    return fault === null ? html`<p role="status">Looking up your order…</p>` : null;
  return html`<div class="card">
    ${orderId === '' ? viewOrders() : html`<p>This browser cannot claim the key of this order, or has shown it already.</p>${byMail}`}
    ${readKey() === null ? null : html`<p class="hint">This browser still uses a key. If you did not copy it, <a href="account">replace it</a> to see a new one.</p>`}
    <details>
      <summary>Enter an order made through the API</summary>
      <form onSubmit=${onSubmit}>
        <label for="order">Order number</label>
        <input id="order" name="order" autocomplete="off" spellcheck=${false} required defaultValue=${orderId} />
        <label for="token">Claim token, which the client received with the order</label>
        <input id="token" name="token" type="password" autocomplete="off" required />
        <button>Claim key</button>
      </form>
    </details>
  </div>`;
}

/** Where mail is set up, the order is found by its address. */
const byMail = data.sendsMail
  ? html`<p>If you gave an email address, <a href="account">get a link by mail</a>.</p>`
  : null;

/** Who did not come back from the payment does not know the number of the order. */
function viewOrders() {
  const orders = listOrders();
  if (orders.length === 0)
    return html`<p>No order in this browser waits for its key. Bought in another one? Open this page there.</p>${byMail}`;
  return html`<p>Choose an order to get its key. These are from this browser, the newest first:</p>
    <ul>${orders.map((id) => {
      const order = ofBrowser.find(({ order_id }) => order_id === id);
      return html`<li key=${id}><a href="claim?order_id=${id}">${order ? html`<${OrderLine} order=${order} />` : id}</a></li>`;
    })}</ul>`;
}

/** @type {Record<string, () => any>} */
const viewStatus = {
  pending:
    () => html`<p role="status"><strong>Waiting for your payment.</strong> This page checks every five seconds. Keep it open.</p>
    <progress aria-label="Waiting for the payment"></progress>`,
  paid: () => html`<p>
    <strong>Paid, and the key was given out${order.key_claimed_at === null ? null : ` on ${date(order.key_claimed_at)}`}.</strong>${' '}
    It is shown only once. If you are signed in, <a href="account">replace it</a> to see a new one. Otherwise ask the operator and give the order number.
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
if (orderId === '') {
  readOrders().then((orders) => {
    ofBrowser = orders;
    draw();
  });
}
