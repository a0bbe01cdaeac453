import { hostOf, html } from '../dom.js';
import { languageName, word, write } from '../words.js';
import { SelectBox } from './bar.js';
import { Marked, MarkedSentence } from './marked.js';
import {
  Audience,
  Contact,
  countInboxes,
  dotted,
  Email,
  EmailCheck,
  InInboxes,
  ListedIn,
  MoreContacts,
  placeOf,
  RecordLink,
  rowKey,
} from './record-parts.js';

/**
 * @typedef {{ results: any[], total: number, page: number, per_page: number, total_pages: number, masked: boolean, also?: any[], corrected?: true, dropped?: string[], suggestions?: Suggestion[] }} SearchPage
 * A search that finds something, offered when this one finds nothing. It has no filters besides those that it names.
 * @typedef {{ q?: string, filters?: Record<string, string>, drops: string, total: number }} Suggestion
 */

/** @param {{ rows: readonly import('./record-parts.js').Row[] }} props */
export function Cards({ rows }) {
  return html`<${InInboxes} value=${countInboxes(rows)}>
    <ul class="cards" role="list">
      ${rows.map((row) => html`<li key=${rowKey(row)}>${row.contact ? html`<${PersonCard} row=${row} />` : html`<${Card} record=${row.record} />`}</li>`)}
    </ul>
  </${InInboxes}>`;
}

/** A row of a person: who it is and what she covers, at which medium, and how to reach her. @param {{ row: any }} props */
function PersonCard({ row }) {
  const { contact, record } = row;
  const medium = html`<${RecordLink} record=${record} />`;
  return html`<article class="card row">
    <${SelectBox} row=${row} />
    <div class="what">
      <header><h3><${Contact} contact=${contact} /></h3> <${ListedIn} row=${row} /></header>
      <p class="note">${dotted([medium, word(record.type ?? record.kind), ...aboutOf(record)])}</p>
      ${contact.beats.length === 0 ? null : html`<p class="note">Covers <bdi><${Marked} text=${contact.beats.join(', ')} /></bdi></p>`}
    </div>
    <div class="reach-by">
      <p><${Reach} contact=${contact} of=${record} /></p>
      ${contact.phone === null ? null : html`<p><bdi>${contact.phone}</bdi></p>`}
    </div>
  </article>`;
}

/** A row: what it is, how large and where, and whom to write to. All else is beside it when it is opened. @param {{ record: any }} props */
function Card({ record }) {
  return html`<article class="card row">
    <${SelectBox} row=${{ record }} />
    <div class="what">
      <header>
        <h3><bdi><${RecordLink} record=${record} /></bdi></h3>
        <small>${dotted([word(record.type ?? record.kind), record.audience !== null && html`<${Audience} record=${record} />`])}</small>
        <${ListedIn} row=${{ record }} />
      </header>
      <p class="note">${dotted([...aboutOf(record), hostOf(record.url), topicsOf(record)])}</p>
      ${record.description ? html`<p class="about"><bdi><${MarkedSentence} text=${record.description} /></bdi></p>` : null}
    </div>
    <${ReachBy} record=${record} />
  </article>`;
}

/** Where it is and its language, if they are known. @param {any} record */
function aboutOf(record) {
  return [placeOf(record), record.language && languageName(record.language)];
}

/** @param {any} record */
function topicsOf({ categories, tags }) {
  const topics = [...new Set([...categories, ...tags].map(word))];
  return topics.length > 0 && html`<span class="unseen">Topics: </span><bdi>${topics.join(', ')}</bdi>`;
}

/** Whom to write to: the first contacts, those that the search matched before others, and where all of them are. @param {{ record: any }} props */
function ReachBy({ record }) {
  /** @type {import('./record-parts.js').ShownContact[]} */
  const contacts = record.contacts;
  return html`<ul class="reach-by" role="list">
    ${contacts.map(
      (contact) => html`<li key=${contact.id}>
        <p>${(contact.name ?? record.name) === record.name && contact.title === null ? null : html`<${Contact} contact=${contact} />`}</p>
        <p><${Reach} contact=${contact} of=${record} /></p>
      </li>`,
    )}
    ${contacts.length === 0 ? html`<li><p></p><p><${Nowhere} /></p></li>` : null}
    ${record.contact_count > contacts.length ? html`<li><p></p><p><${MoreContacts} record=${record} /></p></li>` : null}
  </ul>`;
}

/** The address with its mark, or a dash. @param {{ contact: import('./record-parts.js').ShownContact, of: any }} props */
function Reach({ contact, of }) {
  if (contact.email === null) return html`<${Nowhere} />`;
  return html`<${Email} contact=${contact} of=${of} /> <${EmailCheck} contact=${contact} />`;
}

function Nowhere() {
  return html`<span class="note"><span aria-hidden="true">–</span><span class="unseen">No address known</span></span>`;
}

/** The last row that the API shows in pages. */
const maxRow = 10_000;
/** The last page of 20 rows, as search pages have them. */
export const deepestPage = maxRow / 20;

/** The last page of results that can be reached. @param {Pick<SearchPage, 'per_page' | 'total_pages'>} found */
export function lastPage({ per_page, total_pages }) {
  return Math.min(total_pages, Math.floor(maxRow / per_page));
}

/** The pages before and after this one. @param {{ found: SearchPage, urlOfPage: (page: number) => string }} props */
export function Paging({ found, urlOfPage }) {
  const { page, total, total_pages: pages } = found;
  const last = lastPage(found);
  if (last <= 1 && page <= 1) return null;
  return html`<nav class="paging line" aria-label="Pages of results">
    ${page > 1 ? html`<a class="chip" href=${urlOfPage(Math.min(page - 1, last))}>Previous page</a>` : null}
    ${page <= last ? `${write(page)} of ${write(last)}` : null}
    ${page < last ? html`<a class="chip" href=${urlOfPage(page + 1)}>Next page</a>` : null}
    ${pages > last && page >= last ? html`<span>Pages end at ${write(maxRow)} results. Narrow the search, or <button type="button" class="quiet" popovertarget="export">export all ${write(total)}</button></span>` : null}
  </nav>`;
}
