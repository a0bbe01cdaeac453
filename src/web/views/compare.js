import { useRef } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { pickColumns } from './table.js';

/** How many records fit side by side. */
const most = 5;
const compared = [
  'kind',
  'place',
  'audience',
  'topics',
  'tags',
  'coverage',
  'frequency',
  'language',
  'contact',
  'email',
  'trust',
  'phone',
  'website',
  'updated',
];

/** Selected records side by side, with the lines that differ marked. @param {{ rows: readonly import('../account-lists.js').Row[] }} props */
export function Compare({ rows }) {
  const { table, compare } = locale.text;
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  if (rows.length < 2) return null;
  const shown = rows.slice(0, most);
  return html`<button type="button" onClick=${() => dialog.current?.showModal()}>${compare.label}</button>
    <dialog ref=${dialog} class="compare" aria-label=${compare.label} closedby="any">
      <div class="table" role="region" aria-label=${compare.label} tabindex="0">
        <table>
          <thead>
            <tr><td></td>${shown.map(({ record }) => html`<th key=${record.id} scope="col" dir="auto">${record.name}</th>`)}</tr>
          </thead>
          <tbody>
            ${pickColumns(compared).map(({ name, cell }) => {
              const cells = shown.map((row) => cell(row) || '');
              const differ = new Set(shown.map(({ record }) => JSON.stringify(comparedOf(record, name)))).size > 1;
              return html`<tr key=${name} class=${differ ? 'differs' : ''}>
                <th scope="row">${table.columns[name]}${differ ? html`<span class="unseen"> (${compare.differs})</span>` : null}</th>
                ${cells.map((shownCell, at) => html`<td key=${shown[at]?.record.id} data-label=${shown[at]?.record.name} dir="auto">${shownCell}</td>`)}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      <p><button type="button" onClick=${() => dialog.current?.close()}>${locale.text.bar.close}</button> ${rows.length > most ? compare.first(most) : null}</p>
    </dialog>`;
}

/** What of a record a line compares. @param {any} record @param {string} name */
function comparedOf(record, name) {
  /** @type {Record<string, any>} */
  const keys = {
    kind: record.type ?? record.kind,
    place: [record.city, record.region, record.country],
    topics: record.categories,
    contact: [record.contact_name, record.contact_title],
    trust: [record.email, record.email_status],
    website: record.url,
    updated: record.updated_at?.slice(0, 10),
  };
  return Object.hasOwn(keys, name) ? keys[name] : record[name];
}
