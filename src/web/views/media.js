import { useEffect, useRef } from 'preact/hooks';
import { hostOf, html } from '../dom.js';
import { languageName, word, write } from '../words.js';
import { InSelecting, Keep } from './bar.js';
import { FaultPage } from './fault.js';
import { hasValue, useFields, Value } from './fields.js';
import { InPlan, useRoot } from './parts.js';
import { People } from './people.js';
import {
  Audience,
  audienceWord,
  chosenOf,
  dotted,
  InListed,
  ListedIn,
  OutwardLink,
  placeOf,
  Unmarked,
} from './record-parts.js';

/**
 * `record`: null if it is not found or the service failed; `fault` says why. `apiUrl`: the URL of its JSON. `pageUrl`: of this page.
 * @typedef {{ record: any, similar: any[], fault: import('./fault.js').Fault | null, contactEmail: string | null, apiUrl: string, pageUrl: string }} MediaData
 */

/** Before the module is there. */
const noSelection = { has: () => false, toggle() {} };
const noneListed = new Map();

/**
 * `back`: the search or list that somebody came from. `selection`: the people that are chosen; null until the module is loaded.
 * @param {{ data: MediaData, hasKey?: boolean, account?: import('./frame.js').KeyPlan | null, back?: { url: string, isList: boolean }, selection?: import('../rows.js').Selection | null, listed?: import('./record-parts.js').Listed, unmarked?: readonly import('../account-lists.js').ListHead[] }} props
 */
export function Media({
  data: { record, similar, fault, ...data },
  hasKey = false,
  account = null,
  back,
  selection = null,
  listed = noneListed,
  unmarked = [],
}) {
  const root = useRoot();
  return html`<${InPlan} value=${account}><div class="record-page"><p class="back"><a href=${back?.url ?? root}>Back to the ${back?.isList ? 'list' : 'search'}</a></p>
    ${
      record === null
        ? html`<${FaultPage} fault=${fault} />`
        : html`<${InSelecting} value=${selection === null ? noSelection : { ...selection }}>
              <${Unmarked} lists=${unmarked} /><${InListed} value=${listed}><${RecordArticle} record=${record}><${Keep} hasKey=${hasKey} subjects=${chosenOf(record, selection)} query=${null} total=${null} /></${RecordArticle}></${InListed}>
            </${InSelecting}>
            ${similar.length === 0 ? null : html`<${Similar} records=${similar} />`}
            <${Corrections} name=${record.name} ...${data} />`
    }</div></${InPlan}>`;
}

/** A record beside the list that it was opened from. @param {{ record: any, onClose: () => void, children?: any }} props */
export function Panel({ record, onClose, children }) {
  const root = useRoot();
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => place.current?.scrollTo(0, 0), [record.id]);
  useEffect(() => {
    // In a narrow window the record covers the list, so the focus goes there.
    if (matchMedia('(max-width: 52rem)').matches) place.current?.focus();
  }, []);
  return html`<aside ref=${place} class="panel" tabindex="-1" aria-label=${record.name}>
    <p class="panel-top line">
      <a href="${root}media/${encodeURIComponent(record.id)}">Open its page</a>
      <button type="button" class="quiet" onClick=${onClose}>Close</button>
    </p>
    <${RecordArticle} record=${record} level="h2">${children}</${RecordArticle}>
  </aside>`;
}

/** All that is known of a record. `level`: of its heading; `children`: what can be done with it. @param {{ record: any, level?: string, children?: any }} props */
function RecordArticle({ record, level = 'h1', children }) {
  const host = hostOf(record.url);
  const { rows } = useFields();
  const root = useRoot();
  const rowsOf = (/** @type {'reach' | 'details'} */ part) =>
    rows
      .filter((row) => row.part === part)
      .map((row) => /** @type {[string, any]} */ ([row.label, cellOf(record, row, root)]));
  return html`<article class="media">
    <header>
      <p class="note">${word(record.type ?? record.kind)}</p>
      <${level} class="name" dir="auto">${record.name}</${level}>
      <${ListedIn} row=${{ record }} />
      ${record.aliases.length > 0 ? html`<p class="note" dir="auto">${record.aliases.join(' · ')}</p>` : null}
      <p class="note">
        ${dotted([placeOf(record), host && html`<${OutwardLink} url=${record.url}>${host}</${OutwardLink}>`])}
      </p>
      ${record.description ? html`<p class="lead" dir="auto">${record.description}</p>` : null}
    </header>
    <div class="actions line">${children}</div>
    <section class="card" aria-labelledby="reach">
      <h2 id="reach">How to reach it</h2>
      <${Rows} rows=${rowsOf('reach')} />
    </section>
    <section aria-labelledby="details">
      <h2 id="details">Details</h2>
      <${Rows} class="details" rows=${rowsOf('details')} />
    </section>
  </article>`;
}

/** Labels with their values, those that there are. @param {{ rows: [string, any][], [attribute: string]: any }} props */
export function Rows({ rows, ...attributes }) {
  return html`<dl ...${attributes}>
    ${rows.map(([label, value]) => (value ? html`<div key=${label}><dt>${label}</dt><dd dir="auto">${value}</dd></div>` : null))}
  </dl>`;
}

/** The value of a field in its row, with what is shown beside it. @param {any} record @param {import('./fields.js').Field} field @param {string} root */
function cellOf(record, field, root) {
  const value = record[field.key];
  const show = Object.hasOwn(ownValues, field.key) ? ownValues[field.key] : undefined;
  if (show !== undefined) return show(record, root);
  return hasValue(value, field) && html`<${Value} value=${value} field=${field} />`;
}

/** Fields whose row shows more than their value, or writes it in its own way. @type {Record<string, (record: any, root: string) => any>} */
const ownValues = {
  contacts: (record) => (record.contacts.length === 0 ? 'No contact known' : html`<${People} record=${record} />`),
  country: ({ country, country_name: name }, root) =>
    country && html`<a href="${root}?${new URLSearchParams({ country })}">${name ?? country}</a>`,
  language: ({ language }, root) =>
    language && html`<a href="${root}?${new URLSearchParams({ language })}">${languageName(language)}</a>`,
  audience: (record) => record.audience !== null && `${write(record.audience)} ${audienceWord(record)}`,
};

/** @param {{ records: any[] }} props */
function Similar({ records }) {
  const root = useRoot();
  return html`<section aria-labelledby="similar">
    <h2 id="similar">Others like it</h2>
    <ul class="tiles" role="list">
      ${records.map(
        (record) => html`<li key=${record.id} class="card">
          <h3 dir="auto"><a href="${root}media/${encodeURIComponent(record.id)}">${record.name}</a></h3>
          <p class="note">
            ${dotted([word(record.type ?? record.kind), placeOf(record), record.audience !== null && html`<${Audience} record=${record} />`])}
          </p>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** How to have the record corrected or removed, and how programs read it. @param {{ name: string } & Pick<MediaData, 'contactEmail' | 'apiUrl' | 'pageUrl'>} props */
function Corrections({ name, contactEmail, apiUrl, pageUrl }) {
  const mail = (/** @type {string} */ subject) =>
    `mailto:${contactEmail}?subject=${encodeURIComponent(`${subject}: ${name}`)}&body=${encodeURIComponent(`${pageUrl}\n\n`)}`;
  return html`<footer class="corrections note">
    ${
      contactEmail === null
        ? html`<p>Something here is wrong, or should not be here? Ask the operator of this service.</p>`
        : html`<p><a href=${mail('Correction')}>Something here is wrong</a> · <a href=${mail('Removal')}>Take this off the list</a></p>`
    }
    <p><a href=${apiUrl}>As JSON, for programs</a></p>
  </footer>`;
}
