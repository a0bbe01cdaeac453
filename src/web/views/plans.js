import { html } from '../dom.js';
import { counted, word, write, writePrice } from '../words.js';
import { FaultLine } from './fault.js';
import { Rows } from './media.js';

/**
 * @typedef {{ tier: string, price: number, currency: string, days: number }} Plan
 * What a caller can do with a plan, or without one (`tier` null): formats and tools by name.
 * @typedef {{ tier: string | null, outletFormats: string[], allFormats: string[], tools: string[], requestsPerMinute: number }} Abilities
 * @typedef {{ plans: readonly Plan[], compared: readonly Abilities[], account?: import('./frame.js').KeyPlan | null, fault?: import('./fault.js').Fault | null, isBusy?: boolean, onBuy?: (event: any, tier: string) => void }} PlansProps
 */

/** What is for sale, beside what there is without a plan. @param {PlansProps} props */
export function Plans({ compared, fault = null, ...props }) {
  return html`<h1>Plans</h1>
    <p class="lead">
      Searching is free. A plan shows full email addresses and lets you export. One-time payment; no automatic renewal.
    </p>
    ${fault === null ? null : html`<${FaultLine} fault=${fault} />`}
    <ul class="plans tiles" role="list">
      ${compared.map(
        (given) => html`<li key=${given.tier} class="card plan-card">
          <h2>${given.tier === null ? 'Without a plan' : word(given.tier)}</h2>
          <${Price} ...${props} tier=${given.tier} />
          <${Rows} rows=${listAbilities(given)} />
          <${Purchase} ...${props} tier=${given.tier} />
        </li>`,
      )}
    </ul>
    <p>You have a key? <a href="account">Your key and its use</a>. Already paid? <a href="claim">Claim your key</a>.</p>`;
}

/** @param {Abilities} given @returns {[string, string][]} */
function listAbilities({ tier, outletFormats, allFormats, tools, requestsPerMinute }) {
  const list = (/** @type {string[]} */ titles) => (titles.length === 0 ? 'no' : titles.join(', '));
  return [
    ['Search, filter and count', 'yes'],
    ['Email addresses', tier === null ? 'masked' : 'in full, with their source'],
    ['Export of outlets', list(outletFormats)],
    ['Export of podcasts and newsletters', list(allFormats)],
    ['Push of leads into campaigns', list(tools)],
    ['Requests a minute', write(requestsPerMinute)],
  ];
}

/** @param {Pick<PlansProps, 'plans'> & { tier: string | null }} props */
function Price({ plans, tier }) {
  const plan = plans.find((each) => each.tier === tier);
  if (plan === undefined) return html`<p class="price"><strong>Free</strong></p>`;
  return html`<p class="price"><strong>${writePrice(plan.price, plan.currency)}</strong> for ${write(plan.days)} days</p>`;
}

/** @param {Omit<PlansProps, 'compared'> & { tier: string | null }} props */
function Purchase({ plans, tier, account = null, isBusy = false, onBuy = () => {} }) {
  const plan = plans.find((each) => each.tier === tier);
  if (plan === undefined || tier === null) return null;
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
