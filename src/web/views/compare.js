import { useRef } from 'preact/hooks';
import { html } from '../dom.js';
import { rowKey, rowName } from './record-parts.js';
import { headingOf, isolate, pickColumns, useColumns } from './table.js';

/** How many records fit side by side. */
const most = 5;

const usual = [
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
];
/** What the page of a record is for: too long or too unlike to compare. */
const leftOut = ['name', 'about', 'verified', 'updated'];

/** Selected records side by side, with the lines that differ marked. @param {{ rows: readonly import('../account-lists.js').Row[] }} props */
export function Compare({ rows }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const columns = useColumns();
  if (rows.length < 2) return null;
  const otherNames = columns.map(({ name }) => name).filter((name) => !usual.includes(name) && !leftOut.includes(name));
  const comparedColumns = pickColumns(columns, [...usual, ...otherNames]);
  const shownRows = rows.slice(0, most);
  return html`<button type="button" onClick=${() => dialog.current?.showModal()}>Compare</button>
    <dialog ref=${dialog} class="compare" aria-label="Compare" closedby="any">
      <div class="table" role="region" aria-label="Compare" tabindex="0">
        <table>
          <thead>
            <tr><td></td>${shownRows.map((row) => html`<th key=${rowKey(row)} scope="col" dir="auto">${rowName(row)}</th>`)}</tr>
          </thead>
          <tbody>
            ${comparedColumns.map(({ name, cell, value = cell }) => {
              const differ = new Set(shownRows.map((row) => JSON.stringify(value(row)))).size > 1;
              return html`<tr key=${name} class=${differ ? 'differs' : ''}>
                <th scope="row">${headingOf(name)}${differ ? html`<span class="unseen"> (differs)</span>` : null}</th>
                ${shownRows.map((row) => html`<td key=${rowKey(row)} data-label=${rowName(row)}>${isolate(cell(row))}</td>`)}
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
