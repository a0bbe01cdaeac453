import { html } from '../dom.js';
import { counted, word, write, writePrice } from '../words.js';
import { FaultLine } from './fault.js';

/**
 * @typedef {{ tier: string, price: number, currency: string, days: number, includes: readonly string[] }} Plan
 * @typedef {{ plans: readonly Plan[], account?: import('./frame.js').KeyPlan | null, fault?: import('./fault.js').Fault | null, isBusy?: boolean, sendsMail?: boolean, onBuy?: (event: any, tier: string) => void }} BuyingProps
 */

/** The plans for sale. This part of the page is taken over by its module. @param {BuyingProps} props */
export function Buying({ plans, fault = null, ...props }) {
  return html`${fault === null ? null : html`<${FaultLine} fault=${fault} />`}
    <ul class="plans tiles" role="list">
      ${plans.map(
        (plan) => html`<li key=${plan.tier} class="card plan-card">
          <h2>${word(plan.tier)}</h2>
          <p class="price"><strong>${writePrice(plan.price, plan.currency)}</strong> for ${write(plan.days)} days, paid once</p>
          <${Purchase} ...${props} plan=${plan} verb=${verbFor(plans, props.account, plan.tier)} />
        </li>`,
      )}
    </ul>`;
}

/**
 * What buying a plan does with the key of the page: a larger plan comes later in the list. A key made for a program buys nothing.
 * @param {readonly Plan[]} plans @param {import('./frame.js').KeyPlan | null | undefined} account @param {string} tier
 */
export function verbFor(plans, account, tier) {
  const ownPlace = plans.findIndex((plan) => plan.tier === account?.plan);
  const boughtPlace = plans.findIndex((plan) => plan.tier === tier);
  if (ownPlace === -1 || ownPlace > boughtPlace || account?.scopes) return 'Buy';
  return ownPlace === boughtPlace ? 'Renew' : 'Upgrade to';
}

/** @param {Omit<BuyingProps, 'plans'> & { plan: Plan, verb: ReturnType<typeof verbFor> }} props */
function Purchase({ plan, verb, account = null, isBusy = false, sendsMail = false, onBuy = () => {} }) {
  const { tier } = plan;
  const notes = {
    Renew: `This renews your key: the same key then works for ${counted(plan.days, 'more day')}.`,
    'Upgrade to': 'Your key stays the same. What is left of its plan counts, at the prices of the plans.',
    Buy: 'You get a new key. Your present one stays as it is.',
  };
  return html`<p class="no-script note">Buying a plan needs JavaScript, or the <a href="docs">API</a>.</p>
    <form class="needs-script" method="dialog" onSubmit=${(/** @type {any} */ event) => onBuy(event, tier)}>
      <label for="email-${tier}">Email for the receipt <small>(optional)</small></label>
      <input id="email-${tier}" name="email" type="email" autocomplete="email" aria-describedby=${sendsMail ? `mails-${tier}` : null} />
      ${sendsMail ? html`<p id="mails-${tier}" class="note">Links to claim your key and to sign in come to this address too.</p>` : null}
      <p class="note steady">${account === null ? 'You get a key, which works at once.' : notes[verb]}</p>
      <button aria-disabled=${isBusy}>${verb} ${word(tier)}</button>
    </form>`;
}
