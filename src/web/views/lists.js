import { html } from '../dom.js';
import { locale } from '../locale.js';
import { InSelecting, KeysHelp, NeedsKey, SelectAll } from './bar.js';
import { Compare } from './compare.js';
import { FaultNote } from './fault.js';
import { FillList } from './fill-list.js';
import { Panel } from './panel.js';
import { closePopup, Field, Popup } from './parts.js';
import { InOpened } from './record-parts.js';
import { Paging } from './results.js';
import { pickColumns, Table } from './table.js';

/** As the API has them, in the order of the work. */
const statuses = ['to_contact', 'contacted', 'replied', 'declined', 'published', 'none'];

/**
 * @typedef {import('../lists.js').ListView} ListView
 * @typedef {import('../account-lists.js').Row} Row
 * @typedef {object} ListsProps
 * @property {readonly import('../account-lists.js').ListHead[] | null} heads the account's lists; null until they are known
 * @property {import('../lists.js').ListPage | null} page of the open list
 * @property {ListView} view
 * @property {import('./fault.js').Fault | null} fault
 * @property {import('../lists.js').Done | null} done
 * @property {import('../lists.js').News | null} news
 * @property {boolean} isBusy
 * @property {boolean} hasKey
 * @property {import('../selection.js').Selection} selection
 * @property {readonly Row[]} rows those that are selected
 * @property {any} opened the record beside the list
 * @property {any} exporting
 * @property {any} pushing
 * @property {any} saved the saved searches
 * @property {(change: Partial<ListView>) => string} urlOf
 * @property {(name: string) => void} onCreate
 * @property {(name: string) => void} onRename
 * @property {() => void} onDelete
 * @property {() => void} onRemove
 * @property {(status: string) => void} onStatus
 * @property {(row: Row, what: { note?: string, status?: string }) => void} onEdit
 * @property {(records: readonly { id: string }[]) => void} onAdd
 * @property {() => void} onSend before something of the list is exported
 * @property {() => void} onClose
 */

/** The lists of the account, one of them open. @param {ListsProps} props */
export function Lists(props) {
  const { lists: words } = locale.text;
  const { heads, page, fault, done, hasKey, opened, saved } = props;
  if (!hasKey)
    return html`<h1>${words.heading}</h1>
      <div class="empty"><p class="lead">${words.lead}</p><${NeedsKey} text=${locale.text.bar.listsNeed} /></div>
      ${saved}`;
  return html`<div class="columns ${opened === null ? '' : 'with-panel'}">
    <aside aria-label=${words.heading}><${AllLists} ...${props} />${saved}</aside>
    <section aria-busy=${props.isBusy}>
      ${fault === null ? null : html`<${FaultNote} fault=${fault} />`}
      ${done === null ? null : html`<p role="status" class="done"><span>${done.said}</span>${done.undo === null ? null : html` <button type="button" class="quiet" onClick=${done.undo}>${words.undo}</button>`}</p>`}
      ${
        page !== null
          ? html`<${OpenList} ...${props} page=${page} />`
          : heads === null
            ? fault === null && html`<p role="status">${words.loading}</p>`
            : html`<h1>${words.heading}</h1><p class="lead">${words.first}</p>`
      }
    </section>
    ${opened === null ? null : html`<${Panel} record=${opened} onClose=${props.onClose} />`}
  </div>`;
}

/** @param {ListsProps} props */
function AllLists({ heads, view, onCreate }) {
  const { text, count } = locale;
  const { lists: words, bar } = text;
  const create = (/** @type {any} */ event) => {
    event.preventDefault();
    const name = String(new FormData(event.target).get('name')).trim();
    event.target.reset();
    if (name !== '') onCreate(name);
  };
  return html`<h2>${words.heading}</h2>
    <ul class="all-lists" role="list">
      ${heads?.map(
        ({ id, name, count: size }) => html`<li key=${id}>
          <a href="./lists?list=${id}" aria-current=${id === view.list ? 'page' : undefined}><bdi>${name}</bdi> <small>${count(size)}</small></a>
        </li>`,
      )}
    </ul>
    <form class="joined" method="dialog" onSubmit=${create}>
      <input name="name" maxlength="80" required autocomplete="off" aria-label=${bar.newList} placeholder=${bar.newList} />
      <button>${bar.create}</button>
    </form>`;
}

/** @param {ListsProps & { page: import('../lists.js').ListPage }} props */
function OpenList({ page, view, news, selection, rows, opened, exporting, pushing, urlOf, ...on }) {
  const { text, date } = locale;
  const { lists: words, bar, table } = text;
  const records = page.results.map(({ record }) => record);
  const isEmpty = page.count === 0;
  return html`<div class="list-head">
      <h1 id="open-list"><bdi>${page.name}</bdi></h1>
      <p class="note">${words.size(page.count)} · ${words.changed} <time datetime=${page.updated_at}>${date(page.updated_at)}</time></p>
      <${ListMenu} key=${page.id} name=${page.name} onRename=${on.onRename} onDelete=${on.onDelete} />
    </div>
    ${news === null ? null : html`<${NewsNote} news=${news} list=${page.id} />`}
    <div class="bar">
      ${isEmpty ? null : html`<${SelectAll} records=${records} selection=${selection} />`}
      <div class="actions">
        ${
          rows.length === 0
            ? null
            : html`<${Popup} id="status" shown=${words.setStatus}>
                  <ul class="options" role="list">
                    ${statuses.map(
                      (status) => html`<li key=${status}>
                        <button
                          type="button"
                          class="option"
                          onClick=${(/** @type {any} */ event) => {
                            closePopup(event);
                            on.onStatus(status);
                          }}
                        >
                          ${words.statuses[status]}
                        </button>
                      </li>`,
                    )}
                  </ul>
                </${Popup}>
                <button type="button" onClick=${on.onRemove}>${words.remove}</button>
                <${Compare} rows=${rows} />`
        }
        <${FillList} key=${page.id} onAdd=${on.onAdd} />
        ${
          isEmpty
            ? null
            : html`<${Popup} id="export" shown=${text.export.label} onOpen=${on.onSend}>${exporting}</${Popup}>
                <${Popup} id="push" shown=${bar.push} label=${text.push.heading} onOpen=${on.onSend}>${pushing}</${Popup}>`
        }
      </div>
      <${KeysHelp} />
    </div>
    ${
      isEmpty
        ? html`<div class="empty"><p class="lead">${words.empty}</p><p>${words.emptyAdvice} <a href="./">${words.search}</a></p></div>`
        : html`<nav class="chips" aria-label=${words.filter}>
              ${['', ...statuses].map(
                (status) =>
                  html`<a class="chip" key=${status} href=${urlOf({ status, page: '' })} aria-current=${view.status === status ? 'true' : undefined}>${status === '' ? words.all : words.statuses[status]}</a> `,
              )}
            </nav>
            <${InSelecting} value=${{ ...selection }}><${InOpened} value=${opened?.id ?? ''}>
              ${
                page.results.length === 0
                  ? html`<p class="hint">${words.noneOfStatus}</p>`
                  : html`<${Table}
                      label=${page.name}
                      rows=${page.results}
                      columns=${columnsOf(on.onEdit)}
                      sort=${view.sort}
                      urlOfSort=${(/** @type {string} */ sort) => urlOf({ sort, page: '' })}
                    />`
              }
            </${InOpened}></${InSelecting}>
            <${Paging} found=${page} urlOfPage=${(/** @type {number} */ at) => urlOf({ page: at === 1 ? '' : String(at) })} />
            ${page.masked ? html`<p class="remark">${words.masked} <a href="plans">${table.plans}</a></p>` : null}`
    }`;
}

/** @param {ListsProps['onEdit']} onEdit */
function columnsOf(onEdit) {
  const { lists: words } = locale.text;
  return [
    ...pickColumns(['name', 'email', 'trust']),
    {
      name: 'status',
      cell: (/** @type {Row} */ row) => html`<select
        class="status ${row.status}"
        aria-label=${words.statusOf(row.record.name)}
        onChange=${(/** @type {any} */ event) => onEdit(row, { status: event.target.value })}
      >
        ${statuses.map((status) => html`<option key=${status} value=${status} selected=${status === row.status}>${words.statuses[status]}</option>`)}
      </select>`,
    },
    {
      name: 'note',
      cell: (/** @type {Row} */ row) => html`<${Field}
        value=${row.note ?? ''}
        maxlength="1000"
        dir="auto"
        autocomplete="off"
        aria-label=${words.noteOn(row.record.name)}
        onChange=${(/** @type {any} */ event) => onEdit(row, { note: event.target.value })}
      />`,
    },
    ...pickColumns(['place', 'audience', 'updated']),
  ];
}

/** What has become of the list since it was last looked at. @param {{ news: import('../lists.js').News, list: string }} props */
function NewsNote({ news: { since, invalid, merged, left }, list }) {
  const { text, date } = locale;
  const { lists: words } = text;
  const facts = [
    invalid > 0 && html`<a href="./?list=${list}&email_status=invalid">${words.becameInvalid(invalid)}</a>`,
    merged > 0 && words.wereMerged(merged),
    left > 0 && words.haveLeft(left),
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return html`<p class="hint">${words.since(date(since))} ${facts.map((fact, at) => html`${at > 0 ? ' · ' : null}${fact}`)}</p>`;
}

/** @param {{ name: string, onRename: (name: string) => void, onDelete: () => void }} props */
function ListMenu({ name, onRename, onDelete }) {
  const { lists: words } = locale.text;
  const rename = (/** @type {any} */ event) => {
    event.preventDefault();
    closePopup(event);
    const given = String(new FormData(event.target).get('name')).trim();
    if (given !== '') onRename(given);
  };
  return html`<${Popup} id="list-menu" shown=${words.menu} class="quiet">
    <form class="joined" method="dialog" onSubmit=${rename}>
      <input name="name" maxlength="80" required autocomplete="off" aria-label=${words.rename} defaultValue=${name} />
      <button>${words.rename}</button>
    </form>
    <button
      type="button"
      class="quiet"
      onClick=${(/** @type {any} */ event) => {
        closePopup(event);
        onDelete();
      }}
    >
      ${words.delete}
    </button>
  </${Popup}>`;
}
