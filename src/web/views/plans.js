import { html } from '../dom.js';
import { counted, word } from '../words.js';
import { Buying } from './buying.js';
import { headingCell, SmallTable } from './parts.js';
import { Figures } from './pitch.js';
import { Contact, Email, placeOf } from './record-parts.js';

/**
 * A thing that plans differ in, such as exports: what there is of it without a plan, then with each; true or false for all or nothing.
 * @typedef {readonly [what: string, ...of: (string | boolean)[]]} Compared
 * @typedef {{ plans: readonly import('./buying.js').Plan[], compared: readonly Compared[], counts: import('./pitch.js').Counts | null, samples: readonly any[], operator: import('./frame.js').Operator, contactEmail: string | null, sendsMail: boolean }} PlansProps
 */

/** The plans for sale, and what is free. @param {PlansProps} props */
export function Plans({ plans, compared, counts, samples, operator, contactEmail, sendsMail }) {
  return html`<h1>Plans</h1>
    <p class="lead">Searching is free. A plan shows whom to write to: full addresses, lists and exports.</p>
    ${counts === null ? null : html`<${Figures} ...${counts} />`}
    <div id="buying"><${Buying} plans=${plans} sendsMail=${sendsMail} /></div>
    <p>You have a key? <a href="account">Your key and its use</a>. Already paid? <a href="claim">Claim your key</a>.</p>
    <div class="beside">
      <section>
        <h2>What each has</h2>
        <${Comparison} plans=${plans} compared=${compared} />
      </section>
      ${
        samples.length === 0
          ? null
          : html`<section>
              <h2>What you get</h2>
              <p>Media as a visitor sees them. With a plan the addresses are in full. <a href="sample.csv" download>These rows as a file</a></p>
              <${Samples} records=${samples} />
            </section>`
      }
    </div>
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
  const rows = compared.map(
    ([right, ...cells]) => html`<tr key=${right}>
      <th scope="row">${right}</th>
      ${cells.map((much, at) => html`<td key=${at} data-label=${names[at]}>${much === true ? 'yes' : much || '–'}</td>`)}
    </tr>`,
  );
  const headings = [html`<td></td>`, ...names.map(headingCell)];
  return html`<${SmallTable} label="What each plan has" headings=${headings}>${rows}<//>`;
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
  const headings = ['Name', 'Kind', 'Place', 'Person', 'Address'].map(headingCell);
  const rows = records.map(
    ({ contacts: [contact], ...record }) => html`<tr key=${record.id}>
      <th scope="row"><a href="media/${encodeURIComponent(record.id)}"><bdi>${record.name}</bdi></a></th>
      <td data-label="Kind">${word(record.type ?? record.kind)}</td>
      <td data-label="Place">${placeOf(record)}</td>
      <td data-label="Person">${contact?.kind === 'person' && html`<${Contact} contact=${contact} />`}</td>
      <td data-label="Address">${contact && html`<${Email} contact=${contact} of=${record} isCopied=${false} />`}</td>
    </tr>`,
  );
  return html`<${SmallTable} label="Media of each kind" headings=${headings}>${rows}<//>`;
}
