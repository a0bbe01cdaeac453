import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { html, safeUrl } from '../dom.js';
import { date, month, short, word, write } from '../words.js';
import { Marked } from './marked.js';
import { CopyButton, useRoot } from './parts.js';

/** Parts of a record that several pages show. */

const Opened = createContext('');

/** Tells the views within it the id of the record that is open beside them. */
export const InOpened = Opened.Provider;

/** Its name, with a link to its page, which a page with a list opens beside it. @param {{ record: any }} props */
export function RecordLink({ record: { id, name } }) {
  const isOpen = useContext(Opened) === id;
  // Set by hand, because an element that is taken over from the server keeps its attributes.
  const mark = (/** @type {Element | null} */ link) => isOpen && link?.setAttribute('aria-current', 'true');
  return html`<a ref=${mark} class="opens" data-id=${id} href="${useRoot()}media/${encodeURIComponent(id)}" aria-current=${isOpen ? 'true' : undefined}><${Marked} text=${name} /></a>`;
}

/** Where it is, each part in its own direction; null where nothing is known. @param {any} record */
export function placeOf({ city, region, country_name }) {
  const parts = [city, region === city ? null : region, country_name].filter(Boolean);
  return parts.length === 0 ? null : parts.map((part, at) => html`${at > 0 ? ', ' : null}<bdi>${part}</bdi>`);
}

/** Those of these parts that there are, with dots between them. @param {readonly any[]} parts */
export function dotted(parts) {
  return parts.filter(Boolean).map((part, at) => html`${at > 0 ? ' · ' : null}${part}`);
}

/** @param {{ record: any }} props */
export function Audience({ record }) {
  if (record.audience === null) return null;
  return html`<span title=${write(record.audience)}>${short(record.audience)}</span> ${audienceWord(record)}`;
}

/** @param {{ kind: string, type: string | null }} record */
export function audienceWord({ kind, type }) {
  if (kind === 'newsletter') return 'subscribers';
  if (kind === 'podcast' || type === 'radio') return 'listeners';
  return type === 'tv' ? 'viewers' : 'readers';
}

/**
 * A person or a desk at a medium, as the API shows it.
 * @typedef {{ id: string, kind: string, name: string | null, title: string | null, beats: string[], email: string | null,
 *   email_status: string | null, email_source: string | null, last_verified_at: string | null, phone: string | null,
 *   links: string[] }} ShownContact
 */

/**
 * What a row of a page is about: a record, or one contact of it. In lists, `contact_id` names a contact that may be gone.
 * @typedef {{ record: any, contact?: ShownContact | null, contact_id?: string | null }} Row
 */

/** The subject of a row as lists of the API name it; null stands for the medium itself. @param {Row} row */
export function subjectOf({ record, contact, contact_id: named = contact?.id ?? null }) {
  return { id: record.id, contact_id: named };
}

/** The same for rows of the same subject. @param {Row} row */
export function rowKey(row) {
  return JSON.stringify(subjectOf(row));
}

/** The people of a record that are selected, else the record itself. @param {any} record @param {{ rows: Map<string, Row> } | null | undefined} selection */
export function chosenOf(record, selection) {
  const people = [...(selection?.rows.values() ?? [])].filter((row) => row.contact && row.record.id === record.id);
  return (people.length > 0 ? people : [{ record }]).map(subjectOf);
}

/** What a row is called in labels. @param {Row} row */
export function rowName({ record, contact }) {
  return contact ? `${contact.name ?? contact.title ?? 'Desk'}, ${record.name}` : record.name;
}

/** How many rows of the page have an address, by the address. @type {import('preact').Context<ReadonlyMap<string, number>>} */
const Inboxes = createContext(/** @type {ReadonlyMap<string, number>} */ (new Map()));

/** Tells the views within it which addresses several rows share (`countInboxes`). */
export const InInboxes = Inboxes.Provider;

/** How many of these rows have each address. A mask is no address. @param {readonly Row[]} rows */
export function countInboxes(rows) {
  const counts = new Map();
  for (const { record, contact, contact_id: named } of rows) {
    const contacts = contact || named ? [contact] : record.contacts;
    for (const email of new Set(contacts.map((/** @type {ShownContact | null} */ person) => person?.email))) {
      if (email && !isMask(email)) counts.set(email, (counts.get(email) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * In which lists of the account media and people are, by the ids of their media.
 * @typedef {ReadonlyMap<string, readonly { list: string, name: string, status: string, contacted_at?: string | null, contact_id: string | null }[]>} Listed
 * @type {import('preact').Context<Listed>}
 */
const ListedRows = createContext(/** @type {Listed} */ (new Map()));

/** Tells the views within it what the lists of the account have. */
export const InListed = ListedRows.Provider;

/** Whether whom one writes to for a row declined, in its own list or in one of these. @param {Row & { status?: string }} row @param {Listed} listed */
export function hasDeclined(row, listed) {
  const { id, contact_id: subject } = subjectOf(row);
  const elsewhere =
    listed.get(id)?.filter(({ contact_id: named }) => [subject, addresseeOf(row)?.id].includes(named)) ?? [];
  return [row, ...elsewhere].some(({ status }) => status === 'declined');
}

/** Says which lists were not read, so that what they have has no mark. @param {{ lists: readonly import('../account-lists.js').ListHead[] }} props */
export function Unmarked({ lists }) {
  if (lists.length === 0) return null;
  const names = lists.map(({ id, name }, index) => html`${index > 0 && ', '}<bdi key=${id}>${name}</bdi>`);
  return html`<p class="note">Who is in these lists is not marked here: ${names}. Filter a search by one to see it.</p>`;
}

/** The lists that have the person of a row, or the medium of one without a person, or people of it. @param {{ row: Row }} props */
export function ListedIn({ row: { record, contact } }) {
  const entries = useContext(ListedRows).get(record.id) ?? [];
  const meant = entries.filter(({ contact_id: named }) => !contact || contact.id === named);
  // People of a medium may have different statuses in a list.
  const marks = new Map(meant.map((entry) => [`${entry.status} ${entry.name}`, entry]));
  return [...marks].map(
    ([key, { name, status, contacted_at: at }]) =>
      html`<span class="pill ${status === 'declined' ? 'bad' : 'good'}" key=${key}>in <bdi>${name}</bdi>${status === 'none' ? null : ` · ${word(status)}`}${status === 'contacted' && at ? ` ${month(at)}` : null}</span>`,
  );
}

/** The contact of a row, else the first one of its medium; null if its own is gone. @param {Row} row @returns {ShownContact | null} */
export function addresseeOf({ record, contact, contact_id: named }) {
  return (contact || named ? contact : record.contacts[0]) ?? null;
}

/** The whole address to write to for a row; null where there is none that a person reads. @param {Row} row */
export function addressOf(row) {
  const addressee = addresseeOf(row);
  return !addressee?.email || isMask(addressee.email) || reachesNobody(addressee) || addressee.kind === 'automatic'
    ? null
    : addressee.email;
}

/** Name and title of a contact; `Desk` if it has neither. @param {{ contact: ShownContact }} props */
export function Contact({ contact: { kind, name, title } }) {
  if (name === null) return title === null ? 'Desk' : html`<bdi><${Marked} text=${title} /></bdi>`;
  const markedName = html`<${Marked} text=${name} />`;
  return html`<bdi>${kind === 'person' ? html`<strong>${markedName}</strong>` : markedName}${title ? html`, <${Marked} text=${title} />` : null}</bdi>`;
}

/** The address, to write to and to copy; or its mask. One that reaches nobody is neither. @param {{ contact: ShownContact, of: any, isCopied?: boolean }} props */
export function Email({ contact, of, isCopied = true }) {
  const { email, name } = contact;
  if (email === null) return null;
  if (reachesNobody(contact)) return html`<s class="mask">${email}</s>`;
  if (isMask(email)) return html`<span class="mask">${email}</span>`;
  return html`<a href="mailto:${email}">${email}</a>${' '}
    ${isCopied ? html`<${CopyButton} text=${email} label="Copy the address of ${name ?? of.name}" />` : null}`;
}

/** Where a plan shows full addresses that are worth it. @param {{ contacts: readonly ShownContact[] }} props */
export function SeeFull({ contacts }) {
  const root = useRoot();
  const isWorthIt = contacts.some(
    (contact) => contact.email !== null && isMask(contact.email) && !reachesNobody(contact),
  );
  return isWorthIt
    ? html`<p><a href="${root}plans">See the full address${contacts.length > 1 ? 'es' : ''}</a></p>`
    : null;
}

/** A link to the page with all contacts of a record of which some are shown. @param {{ record: any }} props */
export function MoreContacts({ record: { id, contacts, contact_count: count } }) {
  return html`<a href="${useRoot()}media/${encodeURIComponent(id)}">and ${write(count - contacts.length)} more</a>`;
}

/** Whether mail to the address comes back or is read by nobody. @param {Pick<ShownContact, 'email_status'>} contact */
function reachesNobody({ email_status: status }) {
  return status === 'invalid' || status === 'disposable';
}

/** Drawn, because not every font has a tick. */
const tick = html`<svg class="tick" viewBox="0 0 10 10"><path d="M1 5l3 3 5-7" /></svg>`;

/** What is known of an address, in one mark: that it reaches nobody, that only programs read it, that others have it too, or its check. @param {{ contact: ShownContact }} props */
export function EmailCheck({ contact }) {
  const { kind, email, email_status: status, last_verified_at: at } = contact;
  const shared = useContext(Inboxes).get(email ?? '') ?? 1;
  if (email === null) return null;
  const since = at === null ? null : html` <time datetime=${at} title=${date(at)}>${month(at)}</time>`;
  const mark = (/** @type {string} */ tone, /** @type {any} */ text) => html`<span class="pill ${tone}">${text}</span>`;
  if (status !== null && reachesNobody(contact)) return mark('bad', html`${word(status)}${since}`);
  if (kind === 'automatic') return mark('warn', html`<span title="Only programs read it">Automatic</span>`);
  if (shared > 1) return mark('warn', `Shared by ${write(shared)} here`);
  if (status === 'valid') return mark('good', html`<span aria-hidden="true">${tick}</span> Checked${since}`);
  return status === null || status === 'unknown' ? null : mark('', html`${word(status)}${since}`);
}

/** Whether an address is masked, as in j***@example.org. @param {string} email */
function isMask(email) {
  return email.includes('***@');
}

/** A link out of the service. @param {{ url: string, children?: any }} props */
export function OutwardLink({ url, children }) {
  return html`<a href=${safeUrl(url)} rel="noopener noreferrer external">${children}</a>`;
}
