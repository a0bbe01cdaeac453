import { renderToString } from 'preact-render-to-string';
import { html } from '#web/html.js';
import { formatShare } from './format-share.ts';

/** @typedef {any} Report as collect-report.ts makes it */
/** @typedef {import('preact').ComponentChildren} Node */

/** Fields that the table of countries shows. */
const fieldsByCountry = ['url', 'email', 'contact_name', 'language', 'categories', 'audience'];

const styles = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --bar: light-dark(#14532d, #86efac); --track: light-dark(#e7e5e4, #33322f); }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; } th, td { padding: .2rem .9rem .2rem 0; text-align: start; white-space: nowrap; }
thead th { border-bottom: 1px solid; } td.number { text-align: end; font-variant-numeric: tabular-nums; }
svg { width: 7rem; height: .7rem; vertical-align: baseline; } .track { fill: var(--track); } .bar { fill: var(--bar); }
.age-0 { fill: #15803d; } .age-1 { fill: #84cc16; } .age-2 { fill: #eab308; } .age-3 { fill: #ea580c; } .age-4 { fill: #78716c; }
svg.wide { width: 24rem; max-width: 60vw; height: 1rem; } .key svg { width: .8rem; height: .8rem; }
.key { display: flex; flex-wrap: wrap; gap: 0 1.2rem; padding: 0; list-style: none; }`;

/**
 * The report as one HTML page that loads nothing and runs nothing.
 *
 * @param {Report} report
 */
export function renderReport(report) {
  const title = `Data report of ${report.created_at.slice(0, 10)}`;
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      <style dangerouslySetInnerHTML=${{ __html: styles }}></style>
    </head>
    <body>
      <h1>${title}</h1>
      <p>${countOf(report.records, 'record')}. ${describeDuplicates(report)}</p>
      ${renderFields(report)} ${renderFreshness(report)} ${renderStatuses(report)} ${renderCountries(report)}
      ${renderShared('Addresses of three records or more', report.shared_emails)}
      ${renderShared('Hosts of three records or more', report.shared_hosts)} ${renderMissed(report)}
    </body>
  </html>`;
  return `<!doctype html>\n${renderToString(/** @type {import('preact').VNode} */ (page))}\n`;
}

/** @param {Report} report */
function describeDuplicates({ duplicates }) {
  if (duplicates === null) return '';
  if (duplicates.groups === 0) return 'No duplicates found.';
  return `Likely duplicates: ${countOf(duplicates.groups, 'group')} of ${countOf(duplicates.records, 'record')}.`;
}

/** @param {Report} report */
function renderFields({ kinds, with: known }) {
  const stored = kinds.filter((/** @type {any} */ { records }) => records > 0);
  return section(
    'What is known, by kind',
    ['Field', ...stored.map((/** @type {any} */ { kind, records }) => `${kind} (${formatCount(records)})`)],
    (stored.length === 0 ? [] : Object.keys(known)).map((key) => [
      key,
      ...stored.map((/** @type {any} */ fill) => share(fill.with[key] ?? 0, fill.records)),
    ]),
  );
}

/** @param {Report} report */
function renderFreshness({ kinds, verified: all }) {
  const ages = Object.keys(all);
  /** @type {{ kind: string, verified: Record<string, number> }[]} */
  const withAddresses = kinds.filter((/** @type {any} */ { verified }) => sum(Object.values(verified)) > 0);
  return html`<section>
    ${section(
      'When addresses were last verified',
      ['Kind', 'Addresses', ''],
      withAddresses.map(({ kind, verified }) => [
        kind,
        formatCount(sum(Object.values(verified))),
        stackedBar(verified),
      ]),
    )}
    <ul class="key">
      ${ages.map(
        (age, place) =>
          html`<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class=${`age-${place}`} width="1" height="1" /></svg> ${spaced(age)}</li>`,
      )}
    </ul>
  </section>`;
}

/** @param {Report} report */
function renderStatuses({ email_statuses }) {
  const total = sum(Object.values(email_statuses));
  const rows = Object.entries(email_statuses).toSorted(([, a], [, b]) => b - a);
  return section(
    'Addresses by status',
    ['Status', 'Records', 'Share'],
    rows.map(([status, count]) => [status, formatCount(count), share(count, total)]),
  );
}

/** @param {Report} report */
function renderCountries({ countries }) {
  const largest = countries[0]?.records ?? 0;
  return section(
    'What is known, by country',
    ['Country', 'Records', '', ...fieldsByCountry],
    countries.map((/** @type {any} */ fill) => [
      fill.country_name ?? fill.country ?? 'none',
      formatCount(fill.records),
      bar(fill.records / largest, formatCount(fill.records)),
      ...fieldsByCountry.map((key) => share(fill.with[key] ?? 0, fill.records)),
    ]),
  );
}

/** @param {string} title @param {{ value: string, records: number, example: string }[]} shared */
function renderShared(title, shared) {
  return section(
    title,
    ['Value', 'Records', 'For example'],
    shared.map(({ value, records, example }) => [value, formatCount(records), example]),
  );
}

/** @param {Report} report */
function renderMissed({ missed_searches: missed }) {
  if (missed.length === 0) return null;
  return section(
    'Searched for and not found',
    ['Query', 'Times', 'Last'],
    missed.map((/** @type {any} */ { query, count, last_at }) => [query, formatCount(count), last_at.slice(0, 10)]),
  );
}

/** @param {string} title @param {readonly string[]} head @param {readonly (string | Node)[][]} rows */
function section(title, head, rows) {
  if (rows.length === 0) return html`<section><h2>${title}</h2><p>None.</p></section>`;
  const classOf = (/** @type {string | Node} */ cell) =>
    typeof cell === 'string' && /^[\d,]+$/.test(cell) ? 'number' : null;
  return html`<section>
    <h2>${title}</h2>
    <div class="scroll" tabindex="0"><table>
      <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows.map(
        ([name, ...cells]) =>
          html`<tr><th scope="row" dir="auto">${name}</th>${cells.map(
            (cell) => html`<td class=${classOf(cell)} dir="auto">${cell}</td>`,
          )}</tr>`,
      )}</tbody>
    </table></div>
  </section>`;
}

/** @param {number} count @param {number} of */
function share(count, of) {
  const part = of === 0 ? 0 : count / of;
  const percent = formatShare(count, of);
  return html`<span>${bar(part, percent)} ${percent}</span>`;
}

/** @param {number} part from 0 to 1 @param {string} label */
function bar(part, label) {
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${label}>
    <rect class="track" width="100" height="10" /><rect class="bar" width=${(part * 100).toFixed(1)} height="10" />
  </svg>`;
}

/** @param {Record<string, number>} counts in the order of their names' ages */
function stackedBar(counts) {
  const total = sum(Object.values(counts));
  const label = Object.entries(counts).map(([age, count]) => `${spaced(age)}: ${formatShare(count, total)}`);
  let start = 0;
  return html`<svg class="wide" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${label.join(', ')}>
    ${Object.values(counts).map((count, place) => {
      const width = (count / total) * 100;
      start += width;
      return html`<rect class=${`age-${place}`} x=${(start - width).toFixed(2)} width=${width.toFixed(2)} height="10" />`;
    })}
  </svg>`;
}

/** @param {string} name */
const spaced = (name) => name.replaceAll('_', ' ');

/** @param {readonly number[]} counts */
function sum(counts) {
  return counts.reduce((total, count) => total + count, 0);
}

/** @param {number} count */
const formatCount = (count) => count.toLocaleString('en');
/** @param {number} count @param {string} noun */
const countOf = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
