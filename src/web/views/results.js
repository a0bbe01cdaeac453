import { html } from '../html.js';
import { useLocale } from '../locale.js';
import { hostOf, safeUrl } from '../safe-url.js';
import { CopyButton } from './copy-button.js';
import { useRoot } from './root.js';

/**
 * @typedef {{ results: any[], total: number, page: number, per_page: number, total_pages: number, masked: boolean, corrected?: true }} SearchPage
 */

/** @param {{ found: SearchPage }} props */
export function Cards({ found: { results, masked } }) {
  return html`<ul class="cards" role="list">
    ${results.map((record) => html`<li key=${record.id}><${Card} record=${record} isMasked=${masked} /></li>`)}
  </ul>`;
}

/** @param {{ record: any, isMasked: boolean }} props */
function Card({ record, isMasked }) {
  const { text, word } = useLocale();
  const url = safeUrl(record.url);
  return html`<article class="card">
    <header class="card-top">
      <h3 dir="auto">${url ? html`<a href=${url} rel="noopener noreferrer external">${record.name}</a>` : record.name}</h3>
      <span class="kind ${record.kind}">${word(record.type ?? record.kind)}</span>
    </header>
    <p class="place"><${Place} record=${record} />${url === null ? null : html` · <span dir="ltr">${hostOf(url)}</span>`}</p>
    ${record.description ? html`<p class="about" dir="auto">${record.description}</p>` : null}
    <${Facts} record=${record} />
    ${
      record.categories.length > 0
        ? html`<ul class="topics" role="list" aria-label=${text.record.topics}>
            ${record.categories.map((/** @type {string} */ topic) => html`<li key=${topic}>${word(topic)}</li>`)}
          </ul>`
        : null
    }
    <footer class="card-end">
      <${Contact} record=${record} /><${Email} record=${record} isMasked=${isMasked} /><${Links} record=${record} />
    </footer>
  </article>`;
}

/** @param {{ record: any }} props */
export function Place({ record: { city, region, country_name } }) {
  const { text } = useLocale();
  const place = [city, region === city ? null : region, country_name].filter(Boolean);
  return place.length === 0 ? text.record.placeUnknown : html`<bdi>${place.join(', ')}</bdi>`;
}

/** Audience, frequency and such, each where it is known. @param {{ record: any }} props */
export function Facts({ record }) {
  const { count, short, language, word } = useLocale();
  const facts = [
    record.audience === null
      ? null
      : html`<span title=${count(record.audience)}>${short(record.audience)}</span> <${AudienceWord} record=${record} />`,
    record.frequency && word(record.frequency),
    record.language && language(record.language),
    record.coverage && word(record.coverage),
    record.platform,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return html`<ul class="facts" role="list">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`;
}

/** @param {{ record: any }} props */
function AudienceWord({ record: { kind, type } }) {
  const { record: words } = useLocale().text;
  if (kind === 'newsletter') return words.subscribers;
  if (kind === 'podcast' || type === 'radio') return words.listeners;
  return type === 'tv' ? words.viewers : words.readers;
}

/** @param {{ record: any }} props */
function Contact({ record: { contact_name, contact_title } }) {
  if (contact_name === null) return null;
  return html`<p class="contact" dir="auto"><strong>${contact_name}</strong>${contact_title ? `, ${contact_title}` : null}</p>`;
}

/** @param {{ record: any, isMasked: boolean }} props */
function Email({ record: { name, email, email_status, last_verified_at }, isMasked }) {
  const { text, date, word } = useLocale();
  const { record: words } = text;
  const root = useRoot();
  if (email === null) return html`<p class="email none">${words.noEmail}</p>`;
  const checked = [
    email_status && email_status !== 'unknown' ? words.checked(word(email_status)) : null,
    last_verified_at && date(last_verified_at),
  ].filter(Boolean);
  const note = checked.length > 0 ? html`${' '}<small>${checked.join(', ')}</small>` : null;
  return isMasked
    ? html`<p class="email"><span class="mask">${email}</span>${note} <a href="${root}plans" class="unlock">${words.seeFull}</a></p>`
    : html`<p class="email">
        <a href="mailto:${email}">${email}</a> <${CopyButton} textOf=${() => email} label=${words.copyAddress(name)} />${note}
      </p>`;
}

/** @param {{ record: any }} props */
function Links({ record }) {
  const { record: words } = useLocale().text;
  const links = [
    [words.feed, record.feed_url],
    [words.linkedIn, record.linkedin_url],
    [words.seen, record.email_source],
  ].flatMap(([label, url]) => (safeUrl(url) ? [{ label, url }] : []));
  if (links.length === 0 && record.phone === null) return null;
  return html`<p class="links">
    ${record.phone === null ? null : html`<span>${record.phone}</span>`}
    ${links.map(
      ({ label, url }) =>
        html`<a key=${label} href=${url} rel="noopener noreferrer external">${label}<span class="unseen"> ${words.of} ${record.name}</span></a>`,
    )}
  </p>`;
}
