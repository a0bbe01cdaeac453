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
          <${Purchase} ...${props} plan=${plan} verb=${verbFor(plans, props.account, plan.tier)} />
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

/**
 * What buying a plan does with the key of the page: a larger plan comes later in the list. A key made for a program buys nothing.
 * @param {readonly Plan[]} plans @param {import('./frame.js').KeyPlan | null | undefined} account @param {string} tier
 */
export function verbFor(plans, account, tier) {
  const own = plans.findIndex((plan) => plan.tier === account?.plan);
  const bought = plans.findIndex((plan) => plan.tier === tier);
  if (own === -1 || own > bought || account?.scopes) return 'Buy';
  return own === bought ? 'Renew' : 'Upgrade to';
}

/** @param {Omit<PlansProps, 'plans' | 'without'> & { plan: Plan, verb: ReturnType<typeof verbFor> }} props */
function Purchase({ plan, verb, account = null, isBusy = false, onBuy = () => {} }) {
  const { tier } = plan;
  const notes = {
    Renew: `This renews your key: the same key then works for ${counted(plan.days, 'more day')}.`,
    'Upgrade to': 'Your key stays the same. What is left of its plan counts, at the prices of the plans.',
    Buy: 'You get a new key. Your present one stays as it is.',
  };
  return html`<p class="no-script note">Buying a plan needs JavaScript, or the <a href="docs">API</a>.</p>
    <form class="needs-script" method="dialog" onSubmit=${(/** @type {any} */ event) => onBuy(event, tier)}>
      <label for="email-${tier}">Email for the receipt <small>(optional)</small></label>
      <input id="email-${tier}" name="email" type="email" autocomplete="email" />
      ${account === null ? null : html`<p class="note">${notes[verb]}</p>`}
      <button aria-disabled=${isBusy}>${verb} ${word(tier)}</button>
    </form>`;
}
