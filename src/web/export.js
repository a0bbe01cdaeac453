import { useState } from 'preact/hooks';
import { readAccount } from './account.js';
import { askFile, faultOf } from './api.js';
import { html } from './dom.js';
import { readKey } from './key.js';
import { Push } from './push.js';
import { toQuery } from './search-state.js';
import { FaultLine } from './views/fault.js';
import { counted, word } from './words.js';

/**
 * The formats and tools that the service has, the default first. `wholePlans`: the plans that export every kind.
 * @typedef {{ name: string, title: string }} Named @typedef {{ value: string, count?: number }} KindCount
 * @typedef {{ formats: readonly Named[], tools: readonly Named[], wholePlans: readonly string[] }} Service
 */

/**
 * The popups that export and push the selected records, or all that is found if none is selected. Empty without a key.
 * @param {Service} service @param {import('./search-state.js').SearchState} found
 * @param {readonly KindCount[]} foundKinds @param {readonly any[]} selected
 */
export function viewSending({ formats, tools, wholePlans }, found, foundKinds, selected) {
  if (readKey() === null) return {};
  const isSelected = selected.length > 0;
  if (selected.length > 100) {
    const hint = html`<p>The API takes at most 100 selected records. Keep them in a list of their own, and send that.</p>`;
    return { exporting: hint, pushing: hint };
  }
  const query = toQuery(found);
  const kinds = isSelected ? countKinds(selected) : foundKinds;
  if (isSelected) {
    // The export of a list includes its notes.
    for (const name of [...query.keys()].filter((name) => name !== 'list')) query.delete(name);
    query.set('id', selected.map(({ id }) => id).join('|'));
  }
  const plan = readAccount();
  const isWhole = plan?.status === 'active' && wholePlans.includes(plan.plan);
  return {
    isWhole,
    exporting: html`<${Export} query=${query} kinds=${kinds} formats=${formats} isSelected=${isSelected} isWhole=${isWhole} />`,
    pushing: html`<${Push} key=${String(query)} query=${query} tools=${tools} />`,
  };
}

/** How many of these there are of each kind. @param {readonly any[]} records */
function countKinds(records) {
  return [...Map.groupBy(records, ({ kind }) => kind)].map(([value, { length }]) => ({ value, count: length }));
}

/**
 * Saves records as a file. `isWhole`: the plan exports every kind.
 * @param {{ query: URLSearchParams, kinds: readonly KindCount[], formats: readonly Named[], isSelected: boolean, isWhole: boolean }} props
 */
function Export({ query, kinds, formats, isSelected, isWhole }) {
  const [format, choose] = useState(formats[0]?.name ?? '');
  const [said, say] = useState(/** @type {any} */ (null));
  const [isRunning, run] = useState(false);
  // If no kind is named, an export has only outlets.
  const others = query.has('kind') ? [] : kinds.filter(({ value }) => value !== 'outlet');
  const leftOut = isWhole ? 0 : others.reduce((sum, { count = 0 }) => sum + count, 0);
  const asked = new URLSearchParams(query);
  if (isWhole && others.length > 0) asked.set('kind', kinds.map(({ value }) => value).join('|'));
  const label = isSelected ? 'Export these records' : asked.has('kind') ? 'Export these results' : 'Export outlets';
  asked.set('format', format);
  // Without a byte order mark, Excel does not read the file as UTF-8.
  if (format === 'csv') asked.set('bom', '1');
  const save = async () => {
    if (isRunning) return;
    run(true);
    say(html`<progress aria-label="Export"></progress>`);
    try {
      const { file, headers } = await askFile(`export?${asked}`);
      offer(file, headers.get('Content-Disposition'));
      say(`Saved ${counted(Number(headers.get('X-Total-Count')), 'row')}.`);
    } catch (error) {
      say(html`<${FaultLine} fault=${faultOf(error)} />`);
    }
    run(false);
  };
  return html`<p class="line">
      <label for="format" class="unseen">Format of the file</label>
      <select id="format" onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${formats.map(({ name, title }) => html`<option key=${name} value=${name} selected=${name === format}>${word(title)}</option>`)}
      </select>
      <button type="button" aria-disabled=${isRunning} onClick=${save}>${label}</button>
    </p>
    ${
      leftOut === 0
        ? null
        : html`<p class="note">
            ${counted(leftOut, 'result of another kind is', 'results of other kinds are')} left out with your plan.${' '}
            <a href="plans">See plans</a>
          </p>`
    }
    <div role="status">${said}</div>`;
}

/** Lets the browser save a file. @param {Blob} file @param {string | null} disposition */
function offer(file, disposition) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'masthead.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
