import { useContext } from 'preact/hooks';
import { hostOf, html, safeUrl } from '../dom.js';
import { counted, date } from '../words.js';
import { SelectBox, Selecting } from './bar.js';
import { Contact, Email, EmailCheck, ListedIn, MoreContacts, OutwardLink, SeeFull } from './record-parts.js';

/** @typedef {import('./record-parts.js').ShownContact} ShownContact */

/** The contacts of a record, best first. A record from a search has only the first of them. @param {{ record: any }} props */
export function People({ record }) {
  const isSelecting = useContext(Selecting) !== null;
  return html`<ul class="people" role="list">
    ${record.contacts.map(
      (/** @type {ShownContact} */ contact) => html`<li key=${contact.id} dir="auto">
      ${isSelecting ? html`<${SelectBox} row=${{ record, contact }} />` : null}
      <div><${Person} contact=${contact} of=${record} /></div>
    </li>`,
    )}
    ${record.contact_count > record.contacts.length ? html`<li><${MoreContacts} record=${record} /></li>` : null}
  </ul>
  <${SeeFull} contacts=${record.contacts} />`;
}

/** All that is known of a contact. @param {{ contact: ShownContact, of: any }} props */
function Person({ contact, of }) {
  const { name, title, beats, email, email_source: source, last_verified_at: at, phone, links } = contact;
  const profiles = links.filter((link) => safeUrl(link) !== null);
  const isSeen = safeUrl(source) !== null;
  return html`${name === null && title === null ? null : html`<p><${Contact} contact=${contact} /> <${ListedIn} row=${{ record: of, contact }} /></p>`}
    ${beats.length === 0 ? null : html`<p class="note">Covers <bdi>${beats.join(', ')}</bdi></p>`}
    ${email === null ? null : html`<p><${Email} contact=${contact} of=${of} /> <${EmailCheck} contact=${contact} /></p>`}
    ${phone === null && profiles.length === 0 ? null : html`<p class="line">${phone === null ? null : html`<bdi>${phone}</bdi>`} ${profiles.map((link) => html`<${OutwardLink} key=${link} url=${link}>${hostOf(link)}</${OutwardLink}> `)}</p>`}
    ${isSeen ? html`<p class="note">Address seen at <${OutwardLink} url=${source}>${hostOf(source)}</${OutwardLink}>${at === null ? null : `, ${date(at)}`}</p>` : null}`;
}

/**
 * Whether each person has a row or is a lead, or each medium. `lost`: how many entries of a list that leaves out.
 * @param {{ isChosen: boolean, lost: import('../export.js').Lost, onChoice: (isChosen: boolean) => void }} props
 */
export function PeopleChoice({ isChosen, lost, onChoice }) {
  const left = isChosen ? counted(lost.media, 'medium', 'media') : counted(lost.people, 'person', 'people');
  const instead = isChosen ? 'Media have rows without the tick.' : 'Each medium comes with its first contact.';
  return html`<label class="choice">
      <input type="checkbox" checked=${isChosen} onChange=${(/** @type {any} */ event) => onChoice(event.target.checked)} />
      <span>Every person, not one for each medium</span>
    </label>
    ${(isChosen ? lost.media : lost.people) > 0 ? html`<p><strong>Left out: ${left} of the list.</strong> ${instead}</p>` : null}`;
}
