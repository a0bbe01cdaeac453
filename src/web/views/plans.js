import { html } from '../dom.js';
import { counted, word, write, writePrice } from '../words.js';
import { FaultLine } from './fault.js';

/**
 * @typedef {{ tier: string, price: number, currency: string, days: number, includes: readonly string[] }} Plan
 * @typedef {{ plans: readonly Plan[], without: readonly string[], account?: import('./frame.js').KeyPlan | null, fault?: import('./fault.js').Fault | null, isBusy?: boolean, onBuy?: (event: any, tier: string) => void }} PlansProps
 */

/** The plans for sale, and what is free. @param {PlansProps} props */
export function Plans({ plans, without, fault = null, ...props }) {
  return html`<h1>Plans</h1>
    <p class="lead">
      Searching is free. A plan shows full email addresses and lets you export. One-time payment; no automatic renewal.
    </p>
    ${fault === null ? null : html`<${FaultLine} fault=${fault} />`}
    <ul class="plans tiles" role="list">
      <${Card} heading="Without a plan" price="Free" includes=${without} />
      ${plans.map(
        (plan) => html`<${Card}
          key=${plan.tier}
          heading=${word(plan.tier)}
          price=${writePrice(plan.price, plan.currency)}
          days=${plan.days}
          includes=${plan.includes}
        >
          <${Purchase} ...${props} plan=${plan} />
        <//>`,
      )}
    </ul>
    <p>You have a key? <a href="account">Your key and its use</a>. Already paid? <a href="claim">Claim your key</a>.</p>`;
}

/** @param {{ heading: string, price: string, days?: number, includes: readonly string[], children?: any }} props */
function Card({ heading, price, days, includes, children }) {
  return html`<li class="card plan-card">
    <h2>${heading}</h2>
    <p class="price"><strong>${price}</strong>${days && ` for ${write(days)} days`}</p>
    <ul>
      ${includes.map((what) => html`<li key=${what}>${what}</li>`)}
    </ul>
    ${children}
  </li>`;
}

/** @param {Omit<PlansProps, 'plans' | 'without'> & { plan: Plan }} props */
function Purchase({ plan, account = null, isBusy = false, onBuy = () => {} }) {
  const { tier } = plan;
  const renews = account?.plan === tier;
  return html`<p class="no-script note">Buying a plan needs JavaScript, or the <a href="docs">API</a>.</p>
    <form class="needs-script" method="dialog" onSubmit=${(/** @type {any} */ event) => onBuy(event, tier)}>
      <label for="email-${tier}">Email for the receipt <small>(optional)</small></label>
      <input id="email-${tier}" name="email" type="email" autocomplete="email" />
      ${
        account === null
          ? null
          : html`<p class="note">${renews ? `This renews your key: the same key then works for ${counted(plan.days, 'more day')}.` : 'You get a new key. Your present one stays as it is.'}</p>`
      }
      <button aria-disabled=${isBusy}>${renews ? 'Renew' : 'Buy'} ${word(tier)}</button>
    </form>`;
}
