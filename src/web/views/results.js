import { hostOf, html } from '../dom.js';
import { word, write } from '../words.js';
import { SelectBox } from './bar.js';
import { Marked } from './marked.js';
import { Audience, Contact, Email, EmailCheck, MoreContacts, Place, RecordLink, rowKey } from './record-parts.js';

/**
 * @typedef {{ results: any[], total: number, page: number, per_page: number, total_pages: number, masked: boolean, corrected?: true, dropped?: string[], suggestions?: Suggestion[] }} SearchPage
 * A search that finds something, offered when this one finds nothing. It has no filters besides those that it names.
 * @typedef {{ q?: string, filters?: Record<string, string>, drops: string, total: number }} Suggestion
 */

/** @param {{ rows: readonly import('./record-parts.js').Row[] }} props */
export function Cards({ rows }) {
  return html`<ul class="cards" role="list">
    ${rows.map((row) => html`<li key=${rowKey(row)}>${row.contact ? html`<${PersonCard} row=${row} />` : html`<${Card} record=${row.record} />`}</li>`)}
  </ul>`;
}

/** A row of a person: who it is and what she covers, at which medium, and how to reach her. @param {{ row: any }} props */
function PersonCard({ row }) {
  const { contact, record } = row;
  return html`<article class="card row">
    <${SelectBox} row=${row} />
    <div class="what">
      <h3 dir="auto"><${Contact} contact=${contact} /></h3>
      <p class="note">
        <${RecordLink} record=${record} /> · ${word(record.type ?? record.kind)} · <${Place} record=${record} />
      </p>
      ${contact.beats.length === 0 ? null : html`<p class="note" dir="auto">Covers <${Marked} text=${contact.beats.join(', ')} /></p>`}
    </div>
    <p class="audience note"><${Audience} record=${record} /></p>
    <div class="reach-by">
      <p class="email"><${Email} contact=${contact} of=${record} /> <${EmailCheck} contact=${contact} /></p>
      ${contact.email === null ? html`<p class="note">No email known</p>` : null}
      ${contact.phone === null ? null : html`<p><bdi>${contact.phone}</bdi></p>`}
    </div>
  </article>`;
}

/** A row: what it is and where, how large, and whom to write to. All else is beside it when it is opened. @param {{ record: any }} props */
function Card({ record }) {
  const about = [...record.categories.map(word), ...record.tags];
  const host = hostOf(record.url);
  return html`<article class="card row">
    <${SelectBox} row=${{ record }} />
    <div class="what">
      <header>
        <h3 dir="auto"><${RecordLink} record=${record} /></h3>
        <small>${word(record.type ?? record.kind)}</small>
      </header>
      <p class="note">
        <${Place} record=${record} />${host === null ? null : ` · ${host}`}
        ${about.length === 0 ? null : html`<span dir="auto" class="subjects"> · <span class="unseen">Topics: </span>${about.join(', ')}</span>`}
      </p>
      ${record.description ? html`<p class="about note" dir="auto"><${Marked} text=${record.description} /></p>` : null}
    </div>
    <p class="audience note"><${Audience} record=${record} /></p>
    <${ReachBy} record=${record} />
  </article>`;
}

/** Whom to write to: the first contacts, those that the search matched before others, and where all of them are. @param {{ record: any }} props */
function ReachBy({ record }) {
  /** @type {import('./record-parts.js').ShownContact[]} */
  const contacts = record.contacts;
  return html`<ul class="reach-by" role="list">
    ${contacts.map((contact) => {
      const isNamed = contact.name !== null || contact.title !== null;
      const check = html`<${EmailCheck} contact=${contact} />`;
      return html`<li key=${contact.id}>
        ${isNamed ? html`<p class="contact"><span><${Contact} contact=${contact} /></span> ${check}</p>` : null}
        <p class="email"><${Email} contact=${contact} of=${record} /> ${isNamed ? null : check}</p>
      </li>`;
    })}
    ${contacts.every(({ email }) => email === null) ? html`<li><p class="note">No email known</p></li>` : null}
    ${record.contact_count > contacts.length ? html`<li><p><${MoreContacts} record=${record} /></p></li>` : null}
  </ul>`;
}

/** The last row that the API shows in pages. */
const maxRow = 10_000;

/** The pages before and after this one. @param {{ found: SearchPage, urlOfPage: (page: number) => string }} props */
export function Paging({ found: { page, per_page, total_pages }, urlOfPage }) {
  const last = Math.min(total_pages, Math.floor(maxRow / per_page));
  if (last <= 1 && page <= 1) return null;
  return html`<nav class="paging line" aria-label="Pages of results">
    ${page > 1 ? html`<a class="chip" href=${urlOfPage(Math.min(page - 1, last))}>Previous page</a>` : null}
    ${page <= last ? `${write(page)} of ${write(last)}` : null}
    ${page < last ? html`<a class="chip" href=${urlOfPage(page + 1)}>Next page</a>` : null}
  </nav>`;
}
