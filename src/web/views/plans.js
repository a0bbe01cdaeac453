import { html } from '../dom.js';
import { locale } from '../locale.js';
import { explain, FaultDetails } from './fault.js';
import { PlanExample, PlanGains, PlanTable } from './plan-table.js';

/** @typedef {{ tier: string, price: number, currency: string, days: number }} Plan */

/**
 * The plans for sale. `account`: what the key of the tab gives.
 * @param {{ plans: readonly Plan[], compared: readonly import('./plan-table.js').Abilities[], serviceUrl: string, account?: import('./account.js').KeyPlan | null, fault?: import('./fault.js').Fault | null, isBusy?: boolean, onBuy?: (event: any, tier: string) => void }} props
 */
export function Plans({ plans, compared, serviceUrl, account = null, fault = null, isBusy = false, onBuy = () => {} }) {
  const { plans: words, key: keyWords } = locale.text;
  return html`<h1>${words.heading}</h1>
    <p class="lead">${words.lead}</p>
    ${fault === null ? null : html`<${PlanFault} fault=${fault} />`}
    <ul class="plans" role="list">
      ${plans.map((plan) => html`<${PlanCard} key=${plan.tier} plan=${plan} compared=${compared} serviceUrl=${serviceUrl} account=${account} isBusy=${isBusy} onBuy=${onBuy} />`)}
    </ul>
    <${PlanExample} />
    <${PlanTable} compared=${compared} />
    <p>${words.haveKey} <a href="account">${keyWords.heading}</a>. ${words.paid} <a href="claim">${words.claim}</a>.</p>`;
}

/** @param {{ fault: import('./fault.js').Fault }} props */
function PlanFault({ fault }) {
  const { title, advice } = explain(fault);
  return html`<div class="fault" role="alert">
    <h2>${title}</h2>
    <p><${FaultDetails} fault=${fault} /> ${fault.errors.length > 0 ? null : advice}</p>
  </div>`;
}

/** @param {{ plan: Plan, compared: readonly import('./plan-table.js').Abilities[], serviceUrl: string, account: import('./account.js').KeyPlan | null, isBusy: boolean, onBuy: (event: any, tier: string) => void }} props */
function PlanCard({ plan: { tier, price, currency, days }, compared, serviceUrl, account, isBusy, onBuy }) {
  const { plans: words } = locale.text;
  const name = locale.word(tier);
  const renews = account?.plan === tier;
  return html`<li class="card plan-card">
    <h2>${name}</h2>
    <p class="price"><strong>${locale.price(price, currency)}</strong> ${words.forDays(days)}</p>
    <${PlanGains} tier=${tier} compared=${compared} />
    <div class="no-script">
      <p class="note">${words.noScript}</p>
      <pre tabindex="0"><code>${checkoutCommand(serviceUrl, tier)}</code></pre>
      <p class="note">${words.noScriptClaim}</p>
    </div>
    <form class="needs-script" method="dialog" onSubmit=${(/** @type {any} */ event) => onBuy(event, tier)}>
      <label for="email-${tier}">${words.email} <small>${words.optional}</small></label>
      <input id="email-${tier}" name="email" type="email" autocomplete="email" />
      ${
        account === null
          ? null
          : html`<p class="note">${renews ? words.renews(locale.date(renewedUntil(account.expires_at, days))) : words.newKey}</p>`
      }
      <button aria-disabled=${isBusy}>${renews ? words.renew(name) : words.buy(name)}</button>
    </form>
  </li>`;
}

/**
 * Orders the plan without JavaScript.
 * @param {string} serviceUrl without a trailing slash
 * @param {string} tier
 */
function checkoutCommand(serviceUrl, tier) {
  return `curl -H 'Content-Type: application/json' -d '{"tier":"${tier}"}' ${serviceUrl}/api/v1/checkout`;
}

/**
 * @param {string} end of the plan as it is, ISO 8601
 * @param {number} days that are bought
 */
function renewedUntil(end, days) {
  const from = Math.max(Date.now(), Date.parse(end));
  return new Date(from + days * 24 * 60 * 60 * 1000).toISOString();
}
