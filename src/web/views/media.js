import { hostOf, html, safeUrl } from '../dom.js';
import { locale } from '../locale.js';
import { Keep } from './bar.js';
import { FaultNote } from './fault.js';
import { useRoot } from './parts.js';
import { AudienceWord, Contact, Email, EmailCheck, OutwardLink, Place, SeeFull } from './record-parts.js';
import { PlaceMap } from './world-map.js';

/**
 * What the page of a record shows. `record` is null where it is not found or the service fails, and `fault` says why.
 * `apiUrl`: its JSON; `pageUrl`: this page.
 * @typedef {object} MediaData
 * @property {any} record
 * @property {any[]} similar
 * @property {import('./fault.js').Fault | null} fault
 * @property {string | null} contactEmail
 * @property {string} apiUrl
 * @property {string} pageUrl
 */

/** `backUrl`: the search that somebody came from. @param {{ data: MediaData, hasKey?: boolean, backUrl?: string }} props */
export function Media({ data, hasKey = false, backUrl }) {
  const { media } = locale.text;
  const root = useRoot();
  const { record, similar, fault } = data;
  return html`<div class="record-page"><p class="back"><a href=${backUrl ?? root}>${media.back}</a></p>
    ${
      record === null
        ? html`<${FaultNote} fault=${fault} />`
        : html`<${RecordArticle} record=${record}><${Keep} hasKey=${hasKey} ids=${[record.id]} query=${null} total=${1} /></${RecordArticle}>
            <${Similar} records=${similar} />
            <${Corrections} data=${data} />`
    }</div>`;
}

/** All that is known of a record. `level`: of its heading; `children`: what can be done with it. @param {{ record: any, level?: 'h1' | 'h2', children?: any }} props */
export function RecordArticle({ record, level = 'h1', children }) {
  return html`<article class="media">
    <${Head} record=${record} level=${level} />
    <div class="actions">${children}</div>
    <${Reach} record=${record} />
    <${Details} record=${record} />
  </article>`;
}

/** @param {{ record: any, level: string }} props */
function Head({ record, level }) {
  const { word } = locale;
  const host = hostOf(record.url);
  return html`<header>
    <p class="kind">${word(record.type ?? record.kind)}</p>
    <${level} class="name" dir="auto">${record.name}</${level}>
    ${record.aliases.length > 0 ? html`<p class="aliases" dir="auto">${record.aliases.join(' · ')}</p>` : null}
    <p class="place">
      <${Place} record=${record} />${host === null ? null : html` · <${OutwardLink} url=${record.url}>${host}</${OutwardLink}>`}
    </p>
    ${record.description ? html`<p class="lead" dir="auto">${record.description}</p>` : null}
  </header>`;
}

/** Whom to write to, and how it is known. @param {{ record: any }} props */
function Reach({ record }) {
  const { text, date } = locale;
  const { media, record: words } = text;
  const { email, email_source: source, phone, last_verified_at: at } = record;
  return html`<section class="card reach" aria-labelledby="reach">
    <h2 id="reach">${media.reach}</h2>
    <dl>
      ${record.contact_name === null ? null : html`<div><dt>${media.contact}</dt><dd><${Contact} record=${record} /></dd></div>`}
      <div>
        <dt>${media.email}</dt>
        <dd>
          ${email === null ? words.noEmail : html`<${Email} record=${record} />`}${' '}
          <${EmailCheck} record=${record} />
          <${SeeFull} record=${record} />
        </dd>
      </div>
      ${
        safeUrl(source)
          ? html`<div>
              <dt>${words.seen}</dt>
              <dd><${OutwardLink} url=${source}>${hostOf(source)}</${OutwardLink}>${at === null ? null : html`${' '}<small>${date(at)}</small>`}</dd>
            </div>`
          : null
      }
      ${phone === null ? null : html`<div><dt>${media.phone}</dt><dd>${phone}</dd></div>`}
      ${
        safeUrl(record.linkedin_url)
          ? html`<div><dt>${words.linkedIn}</dt><dd><${OutwardLink} url=${record.linkedin_url}>${hostOf(record.linkedin_url)}</${OutwardLink}></dd></div>`
          : null
      }
    </dl>
  </section>`;
}

/** Everything else that is known. Values lead to others that share them. @param {{ record: any }} props */
function Details({ record }) {
  const { text, count, date, language, word } = locale;
  const { media, record: words } = text;
  const root = useRoot();
  /** @type {(parameter: string, value: string, label?: string) => any} */
  const like = (parameter, value, label = word(value)) =>
    html`<a href="${root}?${new URLSearchParams([[parameter, value]])}">${label}</a>`;
  const rows = [
    [media.kind, like('kind', record.kind)],
    [media.type, record.type && like('type', record.type)],
    [
      words.topics,
      record.categories.length > 0 &&
        record.categories.map((/** @type {string} */ topic) => html`${like('category', topic)} `),
    ],
    [
      words.tags,
      record.tags.length > 0 && record.tags.map((/** @type {string} */ tag) => html`${like('tag', tag, tag)} `),
    ],
    [media.country, record.country && like('country', record.country, record.country_name ?? record.country)],
    [media.region, record.region && like('region', record.region, record.region)],
    [media.city, record.city && like('city', record.city, record.city)],
    [media.language, record.language && like('language', record.language, language(record.language))],
    [media.coverage, record.coverage && like('coverage', record.coverage)],
    [media.audience, record.audience !== null && html`${count(record.audience)} <${AudienceWord} record=${record} />`],
    [media.frequency, record.frequency && word(record.frequency)],
    ...Object.entries(media.plain).map(([key, label]) => [label, record[key]]),
    [
      words.feed,
      safeUrl(record.feed_url) &&
        html`<${OutwardLink} url=${record.feed_url}>${hostOf(record.feed_url)}</${OutwardLink}>`,
    ],
    [media.updated, record.updated_at && html`<time datetime=${record.updated_at}>${date(record.updated_at)}</time>`],
  ].filter(([, value]) => value);
  return html`<section aria-labelledby="details">
    <h2 id="details">${media.details}</h2>
    <dl class="details">
      ${rows.map(([label, value]) => html`<div key=${label}><dt>${label}</dt><dd dir="auto">${value}</dd></div>`)}
    </dl>
    ${record.country && html`<${PlaceMap} code=${record.country} name=${record.country_name} />`}
  </section>`;
}

/** @param {{ records: any[] }} props */
function Similar({ records }) {
  const { text, short, word } = locale;
  const root = useRoot();
  if (records.length === 0) return null;
  return html`<section aria-labelledby="similar">
    <h2 id="similar">${text.media.similar}</h2>
    <ul class="similar" role="list">
      ${records.map(
        (record) => html`<li key=${record.id} class="card">
          <h3 dir="auto"><a href="${root}media/${encodeURIComponent(record.id)}">${record.name}</a></h3>
          <p class="place">
            ${word(record.type ?? record.kind)} · <${Place} record=${record} />
            ${record.audience === null ? null : html` · ${short(record.audience)} <${AudienceWord} record=${record} />`}
          </p>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** How to correct the record, to have it removed, and to read it by program. @param {{ data: MediaData }} props */
function Corrections({ data: { record, contactEmail, apiUrl, pageUrl } }) {
  const { media } = locale.text;
  /** @param {(name: string) => string} subject */
  const mail = (subject) =>
    `mailto:${contactEmail}?subject=${encodeURIComponent(subject(record.name))}&body=${encodeURIComponent(`${pageUrl}\n\n`)}`;
  return html`<footer class="corrections">
    ${
      contactEmail === null
        ? html`<p>${media.askOperator}</p>`
        : html`<p>
            <a href=${mail(media.wrongSubject)}>${media.wrong}</a> · <a href=${mail(media.removeSubject)}>${media.remove}</a>
          </p>`
    }
    <p><a href=${apiUrl}>${media.json}</a></p>
  </footer>`;
}
