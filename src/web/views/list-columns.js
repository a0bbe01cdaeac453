import { html } from '../dom.js';
import { edited, isDisputed } from '../edits.js';
import { date, word } from '../words.js';
import { Field, Popup } from './parts.js';
import { ListedIn, rowKey, rowName } from './record-parts.js';
import { headingOf, pickColumns, useColumns } from './table.js';

/**
 * @typedef {import('../open-list.js').ListView} ListView @typedef {import('../account-lists.js').Row} Row
 * @typedef {Pick<import('./lists.js').ListsProps, 'edits' | 'onType' | 'onEdit' | 'onSettle'>} Editing
 */

/** The API's statuses, in the order of the work. */
export const statuses = ['to_contact', 'contacted', 'replied', 'declined', 'published', 'none'];

/** Columns that every list has, so that nobody chooses them. */
const fixedColumns = ['name', 'contact', 'email', 'trust'];

/** A column of entries that lists can show. @type {import('./table.js').Column} */
const addedColumn = { name: 'added', sort: 'added', cell: ({ added_at: at }) => date(at) };

/** The columns of a list besides those that every one has. @param {ListView} view */
export function chosenColumns({ columns }) {
  return columns === '' ? ['place'] : columns.split('|').filter((name) => !fixedColumns.includes(name));
}

/** How each status looks. @type {Record<string, string>} */
const tones = { contacted: 'warn', replied: 'good', published: 'good', declined: 'bad' };

/** @param {string} status */
export function statusName(status) {
  return status === 'none' ? 'No status' : word(status);
}

/** The orders of a list, by their names in the API. @type {Record<string, string>} */
const orders = {
  '': 'Largest audience first',
  name: 'Name, A to Z',
  reachable: 'Addresses first',
  status: 'By status',
  contacted: 'Last contacted first',
  note: 'Note, A to Z',
  added: 'Last added first',
};

/** For phones, where a list has no headings to sort by. @param {{ sort: string, onSort: (sort: string) => void }} props */
export function ListOrder({ sort, onSort }) {
  return html`<select class="list-order" aria-label="Order" onChange=${(/** @type {any} */ event) => onSort(event.target.value)}>
    ${Object.entries(orders).map(([key, label]) => html`<option key=${key} value=${key} selected=${key === sort}>${label}</option>`)}
  </select>`;
}

/** @param {{ view: ListView, onColumns: (columns: string) => void }} props */
export function ColumnChoice({ view, onColumns }) {
  const chosen = chosenColumns(view);
  const offered = [...useColumns(), addedColumn].filter(({ name }) => !fixedColumns.includes(name));
  const toggle = (/** @type {string} */ name) =>
    onColumns(
      ['name', ...(chosen.includes(name) ? chosen.filter((column) => column !== name) : [...chosen, name])].join('|'),
    );
  return html`<${Popup} id="columns" shown="Columns" class="quiet">
    ${offered.map(
      ({ name }) => html`<label class="choice" key=${name}>
        <input type="checkbox" checked=${chosen.includes(name)} onChange=${() => toggle(name)} /> <span>${headingOf(name)}</span>
      </label>`,
    )}
  </${Popup}>`;
}

/** @param {readonly import('./table.js').Column[]} columns @param {readonly string[]} chosen @param {Editing} props */
export function columnsOf(columns, chosen, { edits, onType, onEdit, onSettle }) {
  const editedRow = (/** @type {Row} */ row) => edited(row, edits[rowKey(row)]);
  const [who, email, check] = pickColumns(columns, ['contact', 'email', 'trust']);
  return [
    ...pickColumns(columns, ['name']),
    {
      name: 'contact',
      sort: 'reachable',
      cell: (/** @type {Row} */ row) =>
        html`<span class="who">${who?.cell(row)}</span> ${email?.cell(row)} ${check?.cell(row)} <${ListedIn} row=${row} />`,
    },
    {
      name: 'status',
      sort: 'status',
      cell: (/** @type {Row} */ row) => html`<select
        class="pill ${tones[editedRow(row).status] ?? ''}"
        aria-label="Status of ${rowName(row)}"
        onChange=${(/** @type {any} */ event) => onEdit(row, { status: event.target.value })}
      >
        ${statuses.map((status) => html`<option key=${status} value=${status} selected=${status === editedRow(row).status}>${statusName(status)}</option>`)}
      </select>`,
    },
    {
      name: 'contacted',
      sort: 'contacted',
      cell: (/** @type {Row} */ row) => html`<${ContactedOn} row=${row} shown=${editedRow(row)} onType=${onType} />`,
    },
    {
      name: 'note',
      sort: 'note',
      cell: (/** @type {Row} */ row) => html`<${Field}
        tag="textarea"
        rows="1"
        value=${editedRow(row).note ?? ''}
        maxlength="1000"
        dir="auto"
        autocomplete="off"
        aria-label="Note on ${rowName(row)}"
        onInput=${(/** @type {any} */ event) => onType(row, { note: event.target.value })}
        onChange=${(/** @type {any} */ event) => onEdit(row, { note: event.target.value })}
        onKeyDown=${(/** @type {any} */ event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          onEdit(row, { note: event.target.value });
        }} />
      ${isDisputed(row, edits[rowKey(row)]) ? html`<${Dispute} row=${row} onSettle=${onSettle} />` : null}`,
    },
    ...pickColumns([...columns, addedColumn], chosen),
  ];
}

/** When somebody wrote to them. Before anybody did, there is nothing to say. `shown`: the row with what waits to be saved. @param {{ row: Row, shown: Row } & Pick<Editing, 'onType'>} props */
function ContactedOn({ row, shown: { status, contacted_at: at }, onType }) {
  if (!at && (status === 'none' || status === 'to_contact')) return null;
  const change = (/** @type {any} */ { target: { validity, value } }) =>
    validity.valid && onType(row, { contacted_at: value === '' ? null : `${value}T00:00:00.000Z` });
  return html`<${Field}
    type="date"
    value=${at ? dayOf(at) : ''}
    aria-label="Date contacted of ${rowName(row)}"
    onInput=${change}
  />`;
}

/** The day of a time where the reader is. Midnight in UTC is a day that somebody typed. @param {string} iso */
function dayOf(iso) {
  const time = new Date(iso);
  const minutes = iso.endsWith('T00:00:00.000Z') ? 0 : time.getTimezoneOffset();
  return new Date(time.getTime() - minutes * 60_000).toISOString().slice(0, 10);
}

/** What somebody else wrote while this was edited here. @param {{ row: Row } & Pick<Editing, 'onSettle'>} props */
function Dispute({ row, onSettle }) {
  const { status, contacted_at: at, note } = row;
  const there = [statusName(status), at ? date(at) : '', note ?? ''].filter(Boolean).join(', ');
  return html`<p class="note" role="alert">
    Not saved. Somebody changed it meanwhile: <bdi>${there}</bdi>
    <button type="button" onClick=${() => onSettle(row, true)}>Save mine</button>
    <button type="button" class="quiet" onClick=${() => onSettle(row, false)}>Take theirs</button>
  </p>`;
}
