import { html } from '../dom.js';
import { counted, date, write } from '../words.js';
import { InSelecting, Keep, KeysHelp, SelectAll } from './bar.js';
import { Compare } from './compare.js';
import { FaultCard } from './fault.js';
import { FillList } from './fill-list.js';
import { ColumnChoice, chosenColumns, columnsOf, ListOrder, statuses, statusName } from './list-columns.js';
import { Panel } from './media.js';
import { CopyButton, closePopup, InPlan, NameForm, NeedsPlan, Popup, Skeleton, useEnded } from './parts.js';
import {
  addresseeOf,
  addressOf,
  countInboxes,
  hasDeclined,
  InInboxes,
  InListed,
  InOpened,
  subjectOf,
  Unmarked,
} from './record-parts.js';
import { Paging } from './results.js';
import { SavedSearches } from './saved-searches.js';
import { Table, useColumns } from './table.js';

/**
 * @typedef {import('../open-list.js').ListView} ListView @typedef {import('../account-lists.js').Row} Row
 * `heads`: the account's lists, null until they are known. `listed`: what those have that are not open; `unmarked`: those too long to be read. `whole`: all rows of the open list, with what waits to be saved; null if it is long. `rows`: the selected ones. `opened`: the record beside the list.
 * @typedef {{ heads: readonly import('../account-lists.js').ListHead[] | null, view: ListView,
 *   searches: readonly import('./saved-searches.js').SavedSearch[],
 *   page: import('../open-list.js').ListPage | null, whole: readonly Row[] | null, fault: import('./fault.js').Fault | null,
 *   done: import('../lists.js').Done | null, news: import('../lists.js').News | null, isBusy: boolean, hasKey: boolean,
 *   account: import('./frame.js').KeyPlan | null, listed: import('./record-parts.js').Listed,
 *   unmarked: readonly import('../account-lists.js').ListHead[], saving: string, edits: Record<string, import('../edits.js').Edit>,
 *   selection: import('../rows.js').Selection, rows: readonly Row[], opened: any, exporting: any, pushing: any,
 *   urlOf: (change: Partial<ListView>) => string } & import('../lists.js').Actions} ListsProps
 */

/** Takes the name of a form and closes its popup, which would cover what the name is for. @param {(name: string) => void} onName */
function closing(onName) {
  return (/** @type {string} */ name, /** @type {Event} */ event) => {
    closePopup(event);
    onName(name);
  };
}

/** The lists of the account, one of them open. @param {ListsProps} props */
export function Lists(props) {
  const { heads, page, view, fault, done, opened, account } = props;
  const isEnded = account?.status === 'expired';
  if (!props.hasKey)
    return html`<h1>Lists</h1>
      <div class="hint">
        <p class="lead">The media of a campaign in one place: whom you wrote to, who answered, and what you noted.</p>
        <${NeedsPlan} what="Lists, with a note and a status for each entry, come" />
      </div>`;
  return html`<${InPlan} value=${account}><${InListed} value=${props.listed}><div class="columns ${opened === null ? '' : 'with-panel'}">
    <aside aria-label="Lists">
      <h2>Lists</h2>
      <ul class="all-lists" role="list">
        ${heads?.map(
          ({ id, name, count }) => html`<li key=${id}>
            <a class="option" href="./lists?list=${id}" aria-current=${id === view.list ? 'page' : undefined}><bdi>${name}</bdi> <small>${write(count)}</small></a>
          </li>`,
        )}
      </ul>
      ${isEnded ? null : html`<${Popup} id="new-list" shown="New list" class="quiet"><${NameForm} label="Name of a new list" button="Create" isFirst onName=${closing(props.onCreate)} /></${Popup}>`}
      <${SavedSearches} searches=${props.searches} onEndFeed=${props.onEndFeed} onForget=${props.onForget} />
    </aside>
    <section aria-busy=${props.isBusy}>
      ${fault === null ? null : html`<${FaultCard} fault=${fault}><a class="button" href="">Try again now</a></${FaultCard}>`}
      ${
        done === null
          ? null
          : html`<p role="status" class="done line">
              <span>${done.said}</span>
              ${done.act === null ? null : html` <button type="button" class="quiet" onClick=${done.act}>${done.label ?? 'Undo'}</button>`}
              ${done.stays ? html`<button type="button" class="quiet" onClick=${props.onDismiss}>No</button>` : null}
            </p>`
      }
      ${
        page !== null
          ? html`<${OpenList} ...${props} page=${page} />`
          : heads === null
            ? fault === null && html`<p role="status" class="unseen">Looking up your lists…</p><${Skeleton} />`
            : html`<h1>No lists yet</h1>
                ${isEnded ? html`<${NeedsPlan} />` : html`<p class="lead">Name your first list, then add media and people to it from a search, or paste names and domains.</p><p><a class="button" href="./">Find media and people</a></p>`}`
      }
    </section>
    ${opened === null ? null : html`<${Panel} record=${opened} onClose=${props.onClose} />`}
  </div></${InListed}></${InPlan}>`;
}

/** @param {ListsProps & { page: import('../open-list.js').ListPage }} props */
function OpenList({ page, whole, view, news, selection, opened, urlOf, ...props }) {
  const columns = useColumns();
  const isEmpty = page.count === 0;
  const rowsMeant = whole?.filter(({ status }) => view.status === '' || status === view.status) ?? page.results;
  const allRows = whole ?? page.results;
  const inboxes = addressesOf(rowsMeant);
  // Who declined is written to only on purpose, also where an entry of the medium has the same address.
  const declined = view.status === 'declined' ? [] : allRows.filter((row) => hasDeclined(row, props.listed));
  const chosen = props.rows.length > 0 ? addressesOf(props.rows) : inboxes.difference(addressesOf(declined));
  const countOf = (/** @type {string} */ status) =>
    whole?.filter((row) => status === '' || row.status === status).length;
  return html`<div class="list-head line">
      <h1 id="open-list"><bdi>${page.name}</bdi></h1>
      ${isEmpty ? null : html`<a href="./?list=!${page.id}">Find more media</a>`}
      <p class="note">changed <time datetime=${page.updated_at}>${date(page.updated_at)}</time></p>
      <${ListMenu} key=${page.id} name=${page.name} onRename=${props.onRename} onDelete=${props.onDelete} />
      <p class="saving" role="status">${props.saving}</p>
    </div>
    ${useEnded() ? html`<${NeedsPlan} />` : null}
    ${isEmpty ? null : html`<${Unmarked} lists=${props.unmarked} />`}
    ${news === null ? null : html`<${NewsNote} ...${news} list=${page.id} />`}
    <div class="bar line">
      ${isEmpty ? null : html`<${SelectAll} rows=${page.results} whole=${rowsMeant} selection=${selection} />`}
      ${isEmpty ? null : html`<p class="count">${whole === null ? counted(page.total, 'entry', 'entries') : countSubjects(rowsMeant)}${whole !== null && inboxes.size > 0 ? ` · ${counted(inboxes.size, 'inbox', 'inboxes')}` : null}</p>`}
      ${chosen.size > 0 ? html`<${CopyButton} shown="Copy ${counted(chosen.size, 'address', 'addresses')}" text=${[...chosen].join(', ')} />` : null}
      <div class="line ${isEmpty ? '' : 'actions'}"><${Actions} key=${page.id} ...${props} isEmpty=${page.results.length === 0} /></div>
      ${isEmpty ? null : html`<${ListOrder} sort=${view.sort} onSort=${props.onSort} /> <${ColumnChoice} view=${view} onColumns=${props.onColumns} />`}
      <${KeysHelp} />
    </div>
    ${
      isEmpty
        ? html`<div class="hint">
            <p class="lead">Nothing is in this list yet.</p>
            <p>Paste names, domains or addresses, or add what you find in a <a href="./">search</a></p>
          </div>`
        : html`<nav class="chips line" aria-label="Status">
              ${['', ...statuses]
                .filter((status) => status === view.status || countOf(status) !== 0)
                .map(
                  (status) =>
                    html`<a class="chip" key=${status} href=${urlOf({ status, page: '' })} aria-current=${view.status === status ? 'true' : undefined}>${status === '' ? 'All' : statusName(status)} <small>${countOf(status)}</small></a> `,
                )}
            </nav>
            <${InSelecting} value=${{ ...selection }}><${InOpened} value=${opened?.id ?? ''}><${InInboxes} value=${countInboxes(allRows.map((row) => ({ ...row, contact: addresseeOf(row) })))}>
              ${
                page.results.length === 0
                  ? html`<p class="hint">Nothing has this status.</p>`
                  : html`<${Table}
                      label=${page.name}
                      rows=${page.results}
                      columns=${columnsOf(columns, chosenColumns(view), props)}
                      sort=${view.sort}
                      urlOfSort=${(/** @type {string} */ sort) => urlOf({ sort, page: '' })}
                    />`
              }
            </${InInboxes}></${InOpened}></${InSelecting}>
            <${Paging} found=${page} urlOfPage=${(/** @type {number} */ at) => urlOf({ page: at === 1 ? '' : String(at) })} />
`
    }`;
}

/** The whole addresses of rows. @param {readonly Row[]} rows */
function addressesOf(rows) {
  return new Set(rows.flatMap((row) => addressOf(row) ?? []));
}

/** How many people and media these rows are, and of how many the person is gone. @param {readonly Row[]} rows */
function countSubjects(rows) {
  const people = rows.filter(({ contact }) => contact).length;
  const media = rows.filter(({ contact_id: named }) => !named).length;
  const gone = rows.length - people - media;
  const parts = [
    people > 0 && counted(people, 'person', 'people'),
    media > 0 && counted(media, 'medium', 'media'),
    gone > 0 && `${gone} gone`,
  ];
  return parts.filter(Boolean).join(', ') || 'Nothing';
}

/** The actions for the selected rows and for the list. @param {Pick<ListsProps, 'rows' | 'onRemove' | 'onStatus' | 'onAdd' | 'exporting' | 'pushing'> & { isEmpty: boolean }} props */
function Actions({ rows, isEmpty, exporting, pushing, ...on }) {
  const ended = html`<${NeedsPlan} />`;
  const choose = (/** @type {Event} */ event, /** @type {string} */ status) => {
    closePopup(event);
    on.onStatus(status);
  };
  return html`${
    rows.length === 0
      ? null
      : html`<${Popup} id="status" shown="Set status">
              <ul role="list">
                ${statuses.map(
                  (status) => html`<li key=${status}>
                    <button type="button" class="option" onClick=${(/** @type {Event} */ event) => choose(event, status)}>${statusName(status)}</button>
                  </li>`,
                )}
              </ul>
            </${Popup}>
            <${Keep} hasKey=${true} subjects=${rows.map(subjectOf)} query=${null} total=${null} />
            <button type="button" onClick=${on.onRemove}>Remove</button>
            <${Compare} rows=${rows} />`
  }
    <${FillList} onAdd=${on.onAdd} />
    ${
      isEmpty
        ? null
        : html`<${Popup} id="export" shown="Export">${exporting ?? ended}</${Popup}>
            <${Popup} id="push" shown="Send to campaign">${pushing ?? ended}</${Popup}>`
    }`;
}

/** What happened to the records of the list since the last visit. @param {import('../lists.js').News & { list: string }} props */
function NewsNote({ since, invalid, merged, left, list }) {
  const facts = [
    invalid > 0 &&
      html`<a href="./?list=${list}&email_status=invalid">${counted(invalid, 'address is', 'addresses are')} invalid</a>`,
    merged > 0 && `${counted(merged, 'medium is now part of another', 'media are now part of others')}`,
    left > 0 && `${counted(left, 'entry is', 'entries are')} gone`,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return html`<p class="hint">Since you looked on ${date(since)}: ${facts.map((fact, at) => html`${at > 0 ? ' · ' : null}${fact}`)}</p>`;
}

/** @param {{ name: string, onRename: (name: string) => void, onDelete: () => void }} props */
function ListMenu({ name, onRename, onDelete }) {
  const remove = (/** @type {Event} */ event) => {
    closePopup(event);
    onDelete();
  };
  return html`<${Popup} id="list-menu" shown="Rename or delete" class="quiet">
    <${NameForm} label="Rename" button="Rename" value=${name} isFirst onName=${closing(onRename)} />
    <button type="button" class="quiet" onClick=${remove}>Delete this list</button>
  </${Popup}>`;
}
