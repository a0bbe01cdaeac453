import { html } from '../dom.js';
import { columnsOf, urlOf } from '../search-state.js';
import { date, languageName, word, write } from '../words.js';
import { SelectBox } from './bar.js';
import { textOf, useFields } from './fields.js';
import { Marked } from './marked.js';
import { Popup } from './parts.js';
import { addresseeOf, Contact, Email, EmailCheck, placeOf, RecordLink, rowKey } from './record-parts.js';

/**
 * `sort`: its key in the API. `value`: what the cell shows, to compare rows; absent if `cell` returns a text.
 * @typedef {{ name: string, sort?: string, isNumber?: boolean, value?: (row: any) => any, cell: (row: any) => any }} Column
 */

/** A cell about the contact of a row, else the first one of its record: values of a row are always those of one. @param {(contact: import('./record-parts.js').ShownContact) => any} show */
const ofContact = (show) => (/** @type {import('./record-parts.js').Row} */ row) => {
  const contact = addresseeOf(row);
  return contact && show(contact);
};

/** Whether a row names a contact that its record no longer has. @param {import('./record-parts.js').Row} row */
function isGone({ contact, contact_id: named = null }) {
  return named !== null && !contact;
}

const contactCell = ofContact((contact) => html`<${Contact} contact=${contact} />`);

/** Columns that show more than the value of their field, or write it in their own way. @type {Record<string, Omit<Column, 'name'>>} */
const ownColumns = {
  name: { sort: 'name', cell: ({ record }) => html`<${RecordLink} record=${record} />` },
  kind: { cell: ({ record: { kind, type } }) => word(type ?? kind) },
  email: {
    value: ofContact(({ email }) => email),
    cell: ofContact((contact) => html`<${Email} contact=${contact} isCopied=${false} />`),
  },
  trust: {
    value: ofContact(({ email, email_status: status }) => [email, status]),
    cell: ofContact((contact) => html`<${EmailCheck} contact=${contact} />`),
  },
  contact: {
    value: ofContact(({ name, title }) => [name, title]),
    cell: (row) => (isGone(row) ? 'No longer there' : contactCell(row)),
  },
  phone: { cell: ofContact(({ phone }) => phone) },
  verified: { cell: ofContact(({ last_verified_at: at }) => at && date(at)) },
  place: {
    value: ({ record: { city, region, country } }) => [city, region, country],
    cell: ({ record }) => placeOf(record),
  },
  audience: {
    sort: 'audience',
    isNumber: true,
    cell: ({ record: { audience } }) => audience !== null && write(audience),
  },
  language: { cell: ({ record: { language } }) => language && languageName(language) },
  about: { cell: ({ record: { description } }) => description && html`<${Marked} text=${description} />` },
  updated: { sort: 'updated', cell: ({ record: { updated_at: at } }) => at && date(at) },
};

/** What the column of a name is called. @param {string} name */
export function headingOf(name) {
  return headings[name] ?? word(name);
}

/** @type {Record<string, string>} */
const headings = { trust: 'Address check', contacted: 'Date contacted', added: 'Date added' };

/** All columns of records, in their order. @returns {Column[]} */
export function useColumns() {
  return useFields().columns.map(({ name, field }) => ({
    name,
    ...(ownColumns[name] ?? {
      isNumber: field.type === 'integer',
      cell: (/** @type {{ record: any }} */ { record }) => textOf(record[field.key], field),
    }),
  }));
}

/** Those with these names, in this order. Unknown names are left out. @param {readonly Column[]} columns @param {readonly string[]} names */
export function pickColumns(columns, names) {
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/**
 * A row for each record. The name stays in sight. `urlOfSort`: the URL to which a heading that sorts leads.
 * @param {{ label: string, rows: readonly any[], columns: Column[], sort: string, urlOfSort: (sort: string) => string }} props
 */
export function Table({ label, rows, columns: shown, sort, urlOfSort }) {
  return html`<div class="table" role="region" aria-label=${label} tabindex="0">
    <table>
      <thead>
        <tr>
          <td class="selects"></td>
          ${shown.map((column) =>
            column.sort === undefined
              ? html`<th key=${column.name} scope="col">${headingOf(column.name)}</th>`
              : html`<${SortedHead} key=${column.name} column=${column} sort=${sort} urlOfSort=${urlOfSort} />`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr key=${rowKey(row)} class="row" data-row=${rowKey(row)}>
            <td class="selects"><${SelectBox} row=${row} /></td>
            ${shown.map(({ name, cell, isNumber }) =>
              name === 'name'
                ? html`<th key=${name} scope="row" dir="auto">${cell(row)}</th>`
                : html`<td key=${name} data-label=${headingOf(name)} class="cell-${name} ${isNumber ? 'number' : ''}">${isolate(cell(row))}</td>`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Text of a cell in its own direction: that of the cell is also that of the label, which it has on a phone. @param {any} text */
export function isolate(text) {
  return text ? html`<bdi>${text}</bdi>` : '';
}

/** A heading that sorts by its column. Another click reverses the order. @param {{ column: Column, sort: string, urlOfSort: (sort: string) => string }} props */
function SortedHead({ column: { name, sort: key = '', isNumber }, sort, urlOfSort }) {
  const isSorted = sort.replace('-', '') === key;
  // By default, the API sorts these from the smallest to the largest, and everything else the other way.
  const isUp = ['name', 'note', 'status'].includes(key) !== sort.startsWith('-');
  return html`<th scope="col" class=${isNumber ? 'number' : undefined} aria-sort=${isSorted ? (isUp ? 'ascending' : 'descending') : undefined}>
    <a href=${urlOfSort(sort === key ? `-${key}` : key)}>${headingOf(name)}<span aria-hidden="true">${isSorted ? (isUp ? ' ↑' : ' ↓') : ''}</span></a>
  </th>`;
}

/** Rows or table, and the columns of the table. @param {{ state: import('../search-state.js').SearchState }} props */
export function ViewSwitch({ state }) {
  const chosen = columnsOf(state);
  const columns = useColumns();
  const link = (/** @type {'cards' | 'table'} */ view, /** @type {string} */ label) =>
    state.view === view
      ? html`<span class="chip" aria-current="true">${label}</span>`
      : html`<a class="chip" href=${urlOf({ ...state, view })}>${label}</a>`;
  return html`<div class="views line">
    <nav class="line" aria-label="View">${link('cards', 'Rows')}${link('table', 'Table')}</nav>
    ${
      state.view === 'table'
        ? html`<input type="hidden" form="search" name="view" value="table" />
            <${Popup} id="columns" shown="Columns" class="quiet needs-script">
              <fieldset>
                <legend>Columns</legend>
                ${columns.map(
                  ({ name }) => html`<label class="choice" key=${name}>
                    <input type="checkbox" form="search" name="columns" value=${name} checked=${chosen.includes(name)} />
                    <span>${headingOf(name)}</span>
                  </label>`,
                )}
              </fieldset>
            </${Popup}>`
        : state.columns.map(
            (name) => html`<input key=${name} type="hidden" form="search" name="columns" value=${name} />`,
          )
    }
  </div>`;
}
