import { html, safeUrl } from '../dom.js';
import { locale } from '../locale.js';
import { CopyButton, Marked, useRoot } from './parts.js';

/** What is shown of a record wherever it is shown. */

/** Its name, with a link to its page. @param {{ record: any }} props */
export function RecordLink({ record: { id, name } }) {
  return html`<a href="${useRoot()}media/${encodeURIComponent(id)}"><${Marked} text=${name} /></a>`;
}

/** @param {{ record: any }} props */
export function Place({ record: { city, region, country_name } }) {
  const place = [city, region === city ? null : region, country_name].filter(Boolean);
  return place.length === 0 ? locale.text.record.placeUnknown : html`<bdi>${place.join(', ')}</bdi>`;
}

/** Audience, frequency and such, each where it is known. @param {{ record: any }} props */
export function Facts({ record }) {
  const { count, short, language, word } = locale;
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

/** Readers, listeners or such. @param {{ record: any }} props */
export function AudienceWord({ record: { kind, type } }) {
  const { record: words } = locale.text;
  if (kind === 'newsletter') return words.subscribers;
  if (kind === 'podcast' || type === 'radio') return words.listeners;
  return type === 'tv' ? words.viewers : words.readers;
}

/** @param {{ record: any }} props */
export function Contact({ record: { contact_name, contact_title } }) {
  if (contact_name === null) return null;
  return html`<bdi><strong>${contact_name}</strong>${contact_title ? `, ${contact_title}` : null}</bdi>`;
}

/** The address, to write to and to copy; or its mask. @param {{ record: any }} props */
export function Email({ record: { name, email } }) {
  const { record: words } = locale.text;
  if (email === null) return null;
  if (isMask(email)) return html`<span class="mask">${email}</span>`;
  return html`<a href="mailto:${email}">${email}</a>${' '}
    <${CopyButton} textOf=${() => email} label=${words.copyAddress(name)} />`;
}

/** Whether the address has been checked, and when. @param {{ record: any }} props */
export function EmailCheck({ record: { email, email_status, last_verified_at } }) {
  const { text, date, word } = locale;
  const checked = [
    email_status && email_status !== 'unknown' ? text.record.checked(word(email_status)) : null,
    last_verified_at && date(last_verified_at),
  ].filter(Boolean);
  return email === null || checked.length === 0 ? null : html`<small>${checked.join(', ')}</small>`;
}

/** The API's masks are no addresses: j***@example.org. @param {string} email */
export function isMask(email) {
  return email.includes('***@');
}

/** A link out of the service. @param {{ url: string, children?: any }} props */
export function OutwardLink({ url, children }) {
  return html`<a href=${safeUrl(url)} rel="noopener noreferrer external">${children}</a>`;
}
