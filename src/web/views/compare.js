import { useRef } from 'preact/hooks';
import { html } from '../dom.js';
import { word } from '../words.js';
import { pickColumns } from './table.js';

/** How many records fit side by side. */
const most = 5;

/** What is compared: the columns of a table, each by what a difference in it is a difference of. @type {Record<string, (record: any) => unknown>} */
const compared = {
  kind: ({ kind, type }) => type ?? kind,
  place: ({ city, region, country }) => [city, region, country],
  audience: ({ audience }) => audience,
  topics: ({ categories }) => categories,
  tags: ({ tags }) => tags,
  coverage: ({ coverage }) => coverage,
  frequency: ({ frequency }) => frequency,
  language: ({ language }) => language,
  contact: ({ contact_name, contact_title }) => [contact_name, contact_title],
  email: ({ email }) => email,
  trust: ({ email, email_status }) => [email, email_status],
  phone: ({ phone }) => phone,
  website: ({ url }) => url,
  updated: ({ updated_at }) => updated_at?.slice(0, 10),
};

/** Selected records side by side, with the lines that differ marked. @param {{ rows: readonly import('../account-lists.js').Row[] }} props */
export function Compare({ rows }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  if (rows.length < 2) return null;
  const shown = rows.slice(0, most);
  return html`<button type="button" onClick=${() => dialog.current?.showModal()}>Compare</button>
    <dialog ref=${dialog} class="compare" aria-label="Compare" closedby="any">
      <div class="table" role="region" aria-label="Compare" tabindex="0">
        <table>
          <thead>
            <tr><td></td>${shown.map(({ record }) => html`<th key=${record.id} scope="col" dir="auto">${record.name}</th>`)}</tr>
          </thead>
          <tbody>
            ${pickColumns(Object.keys(compared)).map(({ name, cell }) => {
              const differ = new Set(shown.map(({ record }) => JSON.stringify(compared[name]?.(record)))).size > 1;
              return html`<tr key=${name} class=${differ ? 'differs' : ''}>
                <th scope="row">${word(name)}${differ ? html`<span class="unseen"> (differs)</span>` : null}</th>
                ${shown.map((row) => html`<td key=${row.record.id} data-label=${row.record.name} dir="auto">${cell(row) || ''}</td>`)}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      <p>
        <button type="button" onClick=${() => dialog.current?.close()}>Close</button>
        ${rows.length > most ? ` The first ${most} of those selected.` : null}
      </p>
    </dialog>`;
}
