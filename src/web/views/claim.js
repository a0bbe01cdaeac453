import { html } from '../dom.js';
import { locale } from '../locale.js';
import { explain } from './fault.js';
import { KeyCard } from './parts.js';

/**
 * An order, its key while it is shown, or the form to find it. `isLooking`: whether the page has what finds it.
 * @param {{ order: any, orderId: string, isLooking: boolean, apiKey: string | null, isRevoked: boolean, fault: import('./fault.js').Fault | null, onSubmit: (event: any) => void, onCopy: () => void }} props
 */
export function Claim({ order, orderId, isLooking, apiKey, isRevoked, fault, onSubmit, onCopy }) {
  const { text } = locale;
  return html`<h1>${text.claim.heading}</h1>
    ${fault === null ? null : html`<${ClaimFault} fault=${fault} />`}
    ${
      apiKey !== null
        ? html`<${ClaimedKey} apiKey=${apiKey} order=${order} onCopy=${onCopy} />`
        : order !== null
          ? html`<${OrderCard} order=${order} isRevoked=${isRevoked} />`
          : html`<${ClaimForm} orderId=${orderId} isLooking=${isLooking} fault=${fault} onSubmit=${onSubmit} />`
    }`;
}

/** @param {{ fault: import('./fault.js').Fault }} props */
function ClaimFault({ fault }) {
  // Its module asks again, unless there is no such order.
  const { title, advice } = explain(fault, true);
  return html`<div class="fault" role="alert">
    <h2>${title}</h2>
    <p>${advice}</p>
  </div>`;
}

/** @param {{ apiKey: string, order: any, onCopy: () => void }} props */
function ClaimedKey({ apiKey, order, onCopy }) {
  const { text, date, word } = locale;
  const { claim } = text;
  return html`<${KeyCard} heading=${claim.here(word(order.tier))} apiKey=${apiKey} onCopy=${onCopy}>
    <p>${claim.worksUntil(date(order.plan_expires_at))}</p>
    <p><a class="button" href="./">${claim.searchFull}</a> <a href="account">${text.key.heading}</a></p>
  </${KeyCard}>`;
}

/** @param {{ order: any, isRevoked: boolean }} props */
function OrderCard({ order: { status, tier, key_claimed_at, plan_expires_at, renews, order_id }, isRevoked }) {
  const { text, date, word } = locale;
  const { claim } = text;
  /** @type {Record<string, () => unknown>} */
  const views = {
    pending: () => html`<p role="status"><strong>${claim.waiting}</strong> ${claim.waitingRest}</p>
      <progress aria-label=${claim.waitingLabel}></progress>`,
    paid: () =>
      renews !== null
        ? html`<${Renewed} prefix=${renews} end=${plan_expires_at} isRevoked=${isRevoked} />`
        : html`<p><strong>${claim.given(key_claimed_at && date(key_claimed_at))}</strong> ${claim.givenRest}</p>`,
    refunded: () =>
      html`<p><strong>${claim.refunded}</strong> ${renews === null ? claim.refundedKey : claim.refundedRenewal}</p>`,
    expired: () =>
      html`<p><strong>${claim.expired}</strong> ${claim.expiredRest} <a href="plans">${claim.startAgain}</a></p>`,
    failed: () =>
      html`<p><strong>${claim.failed}</strong> ${claim.failedRest} <a href="plans">${claim.tryAgain}</a></p>`,
  };
  return html`<div class="card">
    <p class="note">${claim.order(word(tier))} <code>${order_id}</code></p>
    ${views[status]?.()}
  </div>`;
}

/**
 * `end` is null while the payment is disputed.
 * @param {{ prefix: string, end: string | null, isRevoked: boolean }} props
 */
function Renewed({ prefix, end, isRevoked }) {
  const { text, date } = locale;
  const { claim } = text;
  const key = html`${claim.renewedKey} <code>${prefix}…</code>`;
  if (isRevoked)
    return html`<p role="status"><strong>${claim.renewedPaid} ${key} ${claim.revoked}</strong> ${claim.revokedRest}</p>`;
  if (end === null) return html`<p><strong>${claim.disputed}</strong> ${key} ${claim.disputedRest}</p>`;
  return html`<p role="status"><strong>${claim.renewedPaid} ${key} ${claim.renewed(date(end))}</strong> ${claim.renewedRest}</p>
    <p><a class="button" href="./">${claim.searchFull}</a></p>`;
}

/** @param {{ orderId: string, isLooking: boolean, fault: import('./fault.js').Fault | null, onSubmit: (event: any) => void }} props */
function ClaimForm({ orderId, isLooking, fault, onSubmit }) {
  const { claim } = locale.text;
  if (isLooking) return fault === null ? html`<p role="status">${claim.lookingUp}</p>` : null;
  return html`<form class="card claim-form" onSubmit=${onSubmit}>
    <p>${claim.noToken}</p>
    <label for="order">${claim.orderNumber}</label>
    <input id="order" name="order" autocomplete="off" spellcheck=${false} required defaultValue=${orderId} />
    <label for="token">${claim.token}</label>
    <input id="token" name="token" type="password" autocomplete="off" required />
    <button>${claim.submit}</button>
  </form>`;
}
