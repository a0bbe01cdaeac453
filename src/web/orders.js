import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { findClaimToken, forgetClaimToken, listOrders } from './key.js';
import { show } from './page.js';
import { OrderLine } from './views/order-line.js';
import { useRoot } from './views/parts.js';

/** The orders that this browser bought and has not claimed. Asking about them claims nothing. */

/** @typedef {import('./views/order-line.js').Order} Order */

/** Stored under this name while the tab is open: what the service said of orders that are no longer pending. */
const knownName = 'masthead-known-orders';
/** How many orders are asked about, the newest first: order reads have a limit of their own. */
const maxAsked = 3;

/** What the service says of these orders, the newest first. @returns {Promise<Order[]>} */
export async function readOrders() {
  const settledOrders = JSON.parse(sessionStorage.getItem(knownName) ?? '{}');
  const ids = listOrders().slice(0, maxAsked);
  const orders = await Promise.all(ids.map((id) => settledOrders[id] ?? peek(id)));
  const readableOrders = orders.filter((order) => order !== null);
  const settled = readableOrders.filter(({ status }) => status !== 'pending');
  sessionStorage.setItem(
    knownName,
    JSON.stringify(Object.fromEntries(settled.map((order) => [order.order_id, order]))),
  );
  return readableOrders;
}

/** Reads an order as a prefetch does, which never claims its key; null if there is no answer now. @param {string} id @returns {Promise<Order | null>} */
async function peek(id) {
  const query = new URLSearchParams({ claim_token: findClaimToken(id) ?? '' });
  try {
    const order = await askJson(`orders/${encodeURIComponent(id)}?${query}`, {
      key: null,
      headers: { Purpose: 'prefetch' },
    });
    if (order.status === 'refunded' || order.key_claimed_at !== null) forgetClaimToken(id);
    return order;
  } catch (error) {
    if (faultOf(error).status === 404) forgetClaimToken(id);
    return null;
  }
}

/** Whether an order is paid and its key was not given out. @param {Order} order */
function isWaiting({ status, key_claimed_at, renews }) {
  return status === 'paid' && key_claimed_at === null && renews === null;
}

/** Says above the content of a page which paid order has a key that waits for its buyer. */
export async function announceWaiting() {
  const order = (await readOrders()).find(isWaiting);
  if (order === undefined) return;
  const place = document.createElement('div');
  document.querySelector('#page')?.before(place);
  const draw = () => show(() => findClaimToken(order.order_id) && html`<${Banner} order=${order} />`, place);
  draw();
  // Another tab claimed it.
  addEventListener('storage', draw);
}

/** @param {{ order: Order }} props */
function Banner({ order }) {
  return html`<p class="hint waiting line" role="status">
    <span>Your key is waiting for you: <${OrderLine} order=${order} />.</span>
    <a class="button" href="${useRoot()}claim?order_id=${order.order_id}">Get your key</a>
  </p>`;
}
