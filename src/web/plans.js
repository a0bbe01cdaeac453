import { html, nothing, render } from 'lit-html';
import { readAccount, startAccount } from './account.js';
import { askJson, explain } from './api.js';
import { formatDate, formatPrice, sentence } from './format.js';
import { readKey } from './key.js';
import { keepClaimToken } from './orders.js';

/** @typedef {{ tier: string, price: number, currency: string, days: number, includes: string[] }} Plan */

const place = /** @type {HTMLElement} */ (document.querySelector('#page'));
/** @type {Plan[] | null} */
let plans = null;
let isBusy = false;
/** @type {ReturnType<typeof explain> | null} */
let fault = null;
/** The same for every attempt at one purchase, so an extra click, or a lost answer, creates no second order. */
/** @type {Map<string, string>} */
const attempts = new Map();

/** 256 random bits: randomUUID is not available on pages without TLS. */
function randomText() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function load() {
  try {
    plans = (await askJson('plans', { key: null })).plans;
    fault = null;
  } catch (error) {
    fault = explain(error);
    if (fault.retryAfter !== null) setTimeout(load, fault.retryAfter * 1000);
  }
  draw();
}

/**
 * Orders the plan and goes where it is paid. The key of this tab goes along only if the page has said that it is renewed.
 * @param {SubmitEvent} event
 * @param {string} tier
 */
async function buy(event, tier) {
  event.preventDefault();
  const email = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('email') ?? '').trim();
  const body = JSON.stringify(email === '' ? { tier } : { tier, email });
  const key = readAccount()?.plan === tier ? readKey() : null;
  const purchase = `${key} ${body}`;
  const attempt = attempts.get(purchase) ?? randomText();
  attempts.set(purchase, attempt);
  isBusy = true;
  fault = null;
  draw();
  try {
    const order = await askJson('checkout', {
      method: 'POST',
      key,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': attempt },
      body,
    });
    keepClaimToken(order.order_id, order.claim_token);
    location.assign(order.checkout_url);
  } catch (error) {
    fault = explain(error);
    isBusy = false;
    draw();
  }
}

function draw() {
  render(view(), place);
}

function view() {
  return html`<h1>Plans</h1>
    <p class="lead">Searching is free. A plan shows full email addresses and lets you export. One-time payment; no automatic renewal.</p>
    ${fault === null ? nothing : viewFault(fault)}
    ${plans === null ? (fault === null ? html`<p role="status">Loading…</p>` : nothing) : html`<ul class="plans" role="list">${plans.map(viewPlan)}</ul>`}
    <p>Already paid? <a href="claim">Claim your key</a>.</p>`;
}

/** @param {ReturnType<typeof explain>} shown */
function viewFault({ title, advice, detail, errors }) {
  return html`<div class="fault" role="alert">
    <h2>${title}</h2>
    <p>${errors.length > 0 ? errors.map(({ message }) => message).join(' ') : `${detail} ${advice}`}</p>
  </div>`;
}

/** @param {Plan} plan */
function viewPlan({ tier, price, currency, days, includes }) {
  const account = readAccount();
  const renews = account?.plan === tier;
  return html`<li class="card plan-card">
    <h2>${sentence(tier)}</h2>
    <p class="price"><strong>${formatPrice(price, currency)}</strong> for ${days} days</p>
    <ul>
      ${includes.map((item) => html`<li>${sentence(item)}</li>`)}
    </ul>
    <form @submit=${(/** @type {SubmitEvent} */ event) => buy(event, tier)}>
      <label for="email-${tier}">Email for the receipt <small>(optional)</small></label>
      <input id="email-${tier}" name="email" type="email" autocomplete="email" />
      ${account === null ? nothing : html`<p class="note">${renews ? viewRenewal(account.expires_at, days) : 'You get a new key. Your present one stays as it is.'}</p>`}
      <button ?disabled=${isBusy}>${renews ? 'Renew' : 'Buy'} ${sentence(tier)}</button>
    </form>
  </li>`;
}

/**
 * @param {string} end of the plan as it is, ISO 8601
 * @param {number} days that are bought
 */
function viewRenewal(end, days) {
  const from = Math.max(Date.now(), Date.parse(end));
  const renewedUntil = new Date(from + days * 24 * 60 * 60 * 1000).toISOString();
  return `This renews your key: the same key then works until ${formatDate(renewedUntil)}.`;
}

draw();
load();
startAccount(draw).then(draw);
