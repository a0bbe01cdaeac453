import { hostOf, html } from '../dom.js';
import { locale } from '../locale.js';
import { columnsOf, urlOf } from '../search-state.js';
import { KeepBox } from './keep-box.js';
import { Marked } from './parts.js';
import { Contact, Email, Place, RecordLink } from './record-parts.js';

/**
 * The columns there are: what each shows of a record, and how to sort by it where the API can.
 * @type {Record<string, { sort?: string, isNumber?: boolean, cell: (record: any) => any }>}
 */
const columns = {
  name: { sort: 'name', cell: (record) => html`<${RecordLink} record=${record} />` },
  kind: { cell: ({ kind, type }) => locale.word(type ?? kind) },
  place: { cell: (record) => html`<${Place} record=${record} />` },
  audience: {
    sort: 'audience',
    isNumber: true,
    cell: ({ audience }) => audience !== null && locale.count(audience),
  },
  contact: { cell: (record) => html`<${Contact} record=${record} />` },
  email: { cell: (record) => html`<${Email} record=${record} />` },
  phone: { cell: ({ phone }) => phone },
  language: { cell: ({ language }) => language && locale.language(language) },
  topics: { cell: ({ categories }) => categories.map(locale.word).join(', ') },
  tags: { cell: ({ tags }) => tags.join(', ') },
  coverage: { cell: ({ coverage }) => coverage && locale.word(coverage) },
  frequency: { cell: ({ frequency }) => frequency && locale.word(frequency) },
  website: { cell: ({ url }) => hostOf(url) },
  about: { cell: ({ description }) => description && html`<${Marked} text=${description} />` },
  verified: { cell: ({ last_verified_at: at }) => at && locale.date(at) },
  updated: { sort: 'updated', cell: ({ updated_at: at }) => at && locale.date(at) },
};

/**
 * One line a record, in the columns that are chosen.
 * @param {{ found: import('./results.js').SearchPage, state: import('../search-state.js').SearchState }} props
 */
export function Table({ found, state }) {
  const { table: words } = locale.text;
  const shown = columnsOf(state).flatMap((name) => {
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    return column === undefined ? [] : [{ name, label: labelOf(words.columns, name), ...column }];
  });
  return html`<div class="table" role="region" aria-label=${words.table} tabindex="0">
    <table>
      <thead>
        <tr>
          <td></td>
          ${shown.map(({ name, label, sort, isNumber }) =>
            sort === undefined
              ? html`<th key=${name} scope="col">${label}</th>`
              : html`<${SortedHead} key=${name} label=${label} sort=${sort} isNumber=${isNumber} state=${state} />`,
          )}
        </tr>
      </thead>
      <tbody>
        ${found.results.map(
          (record) => html`<tr key=${record.id}>
            <td><${KeepBox} record=${record} /></td>
            ${shown.map(({ name, label, cell, isNumber }) =>
              name === 'name'
                ? html`<th key=${name} scope="row" dir="auto">${cell(record)}</th>`
                : html`<td key=${name} data-label=${label} class=${isNumber ? 'number' : undefined} dir="auto">${cell(record) || ''}</td>`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A heading that sorts, and the other way round when it does. @param {{ label: string, sort: string, isNumber?: boolean, state: any }} props */
function SortedHead({ label, sort, isNumber, state }) {
  const isSorted = state.sort === sort;
  const isReversed = state.sort === `-${sort}`;
  // By itself the API sorts names from A and everything else from the largest.
  const [first, second] = sort === 'name' ? ['ascending', 'descending'] : ['descending', 'ascending'];
  const next = { ...state, sort: isSorted ? `-${sort}` : sort, page: 1 };
  return html`<th scope="col" class=${isNumber ? 'number' : undefined} aria-sort=${isSorted ? first : isReversed ? second : undefined}>
    <a href=${urlOf(next)}>${label}<span aria-hidden="true">${arrows[isSorted ? first : isReversed ? second : 'none']}</span></a>
  </th>`;
}

/** @type {Record<string, string>} */
const arrows = { ascending: ' ↑', descending: ' ↓', none: '' };

/**
 * Cards or table, and the columns of the table.
 * @param {{ state: import('../search-state.js').SearchState }} props
 */
export function ViewSwitch({ state }) {
  const { table: words } = locale.text;
  const isTable = state.view === 'table';
  const chosen = columnsOf(state);
  const link = (/** @type {'cards' | 'table'} */ view) =>
    html`<a href=${urlOf({ ...state, view })} aria-current=${state.view === view ? 'true' : undefined}>${words[view]}</a>`;
  return html`<div class="views">
    <nav aria-label=${words.label}>${link('cards')}${link('table')}</nav>
    ${
      isTable
        ? html`<input type="hidden" form="search" name="view" value="table" />
            <details class="chooser">
              <summary>${words.choose}</summary>
              <fieldset>
                <legend class="unseen">${words.choose}</legend>
                ${Object.keys(columns).map(
                  (name) => html`<label class="choice" key=${name}>
                    <input type="checkbox" form="search" name="columns" value=${name} checked=${chosen.includes(name)} />
                    <span>${labelOf(words.columns, name)}</span>
                  </label>`,
                )}
              </fieldset>
            </details>`
        : state.columns.map(
            (name) => html`<input key=${name} type="hidden" form="search" name="columns" value=${name} />`,
          )
    }
  </div>`;
}

/** @param {Record<string, string>} labels @param {string} name */
function labelOf(labels, name) {
  return labels[name] ?? name;
}
