import { html } from '../dom.js';
import { counted, word, write, writePrice } from '../words.js';
import { FaultLine } from './fault.js';
import { Figures } from './pitch.js';
import { Contact, Email, placeOf } from './record-parts.js';

/**
 * A thing that plans differ in, such as exports: what there is of it without a plan, then with each; true or false for all or nothing.
 * @typedef {readonly [what: string, ...of: (string | boolean)[]]} Compared
 * @typedef {{ tier: string, price: number, currency: string, days: number, includes: readonly string[] }} Plan
 * @typedef {{ plans: readonly Plan[], compared: readonly Compared[], counts: import('./pitch.js').Counts | null, samples: readonly any[], operator: import('./frame.js').Operator, contactEmail: string | null, account?: import('./frame.js').KeyPlan | null, fault?: import('./fault.js').Fault | null, isBusy?: boolean, onBuy?: (event: any, tier: string) => void }} PlansProps
 */

/** The plans for sale, and what is free. @param {PlansProps} props */
export function Plans({ plans, compared, counts, samples, operator, contactEmail, fault = null, ...props }) {
  return html`<h1>Plans</h1>
    <p class="lead">Searching is free. A plan shows whom to write to: full addresses, lists and exports.</p>
    ${counts === null ? null : html`<${Figures} ...${counts} />`}
    ${fault === null ? null : html`<${FaultLine} fault=${fault} />`}
    <ul class="plans tiles" role="list">
      ${plans.map(
        (plan) => html`<li key=${plan.tier} class="card plan-card">
          <h2>${word(plan.tier)}</h2>
          <p class="price"><strong>${writePrice(plan.price, plan.currency)}</strong> for ${write(plan.days)} days, paid once</p>
          <${Purchase} ...${props} plan=${plan} verb=${verbFor(plans, props.account, plan.tier)} />
        </li>`,
      )}
    </ul>
    <p>You have a key? <a href="account">Your key and its use</a>. Already paid? <a href="claim">Claim your key</a>.</p>
    <h2>What each has</h2>
    <${Comparison} plans=${plans} compared=${compared} />
    ${
      samples.length === 0
        ? null
        : html`<h2>What you get</h2>
      <p>Media as a visitor sees them. With a plan the addresses are in full. <a href="sample.csv" download>These rows as a file</a></p>
      <${Samples} records=${samples} />`
    }
    <div class="tiles terms">
      <section>
        <h2>When a plan ends</h2>
        <p>
          Nothing renews by itself. Your lists and notes stay, to read and to delete, and what you exported is yours. Addresses are masked
          again until you buy.
        </p>
      </section>
      <section>
        <h2>Money back</h2>
        <p><${Refund} days=${operator.refundDays} contactEmail=${contactEmail} /></p>
      </section>
      ${
        operator.name === null
          ? null
          : html`<section><h2>Who sells this</h2><p>${operator.name}${contactEmail === null ? null : html`, <a href="mailto:${contactEmail}">${contactEmail}</a>`}</p></section>`
      }
    </div>`;
}

/** @param {Pick<PlansProps, 'plans' | 'compared'>} props */
function Comparison({ plans, compared }) {
  const names = ['Without a plan', ...plans.map(({ tier }) => word(tier))];
  return html`<div class="table wraps" role="region" aria-label="What each plan has" tabindex="0">
    <table>
      <thead><tr><td></td>${names.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>
      <tbody>
        ${compared.map(
          ([what, ...of]) => html`<tr key=${what}>
            <th scope="row">${what}</th>
            ${of.map((much, at) => html`<td key=${at} data-label=${names[at]}>${much === true ? 'yes' : much || '–'}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {{ days: number | null, contactEmail: string | null }} props */
function Refund({ days, contactEmail }) {
  const ask =
    contactEmail === null ? 'ask the operator' : html`write to <a href="mailto:${contactEmail}">${contactEmail}</a>`;
  return html`${days === null ? html`For a refund, ${ask}.` : html`Not what you need? Within ${counted(days, 'day')} of the payment, ${ask} and get your money back.`}
    ${' '}A refund ends the plan that it paid for.`;
}

/** Masked media of each kind, with whom to write to. @param {{ records: readonly any[] }} props */
function Samples({ records }) {
  return html`<div class="table wraps" role="region" aria-label="Media of each kind" tabindex="0">
    <table>
      <thead><tr>${['Name', 'Kind', 'Place', 'Person', 'Address'].map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
      <tbody>
        ${records.map(
          ({ contacts: [contact], ...record }) => html`<tr key=${record.id}>
            <th scope="row"><a href="media/${encodeURIComponent(record.id)}"><bdi>${record.name}</bdi></a></th>
            <td data-label="Kind">${word(record.type ?? record.kind)}</td>
            <td data-label="Place">${placeOf(record)}</td>
            <td data-label="Person">${contact?.kind === 'person' && html`<${Contact} contact=${contact} />`}</td>
            <td data-label="Address">${contact && html`<${Email} contact=${contact} of=${record} isCopied=${false} />`}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
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

/** @param {Pick<PlansProps, 'account' | 'isBusy' | 'onBuy'> & { plan: Plan, verb: ReturnType<typeof verbFor> }} props */
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
