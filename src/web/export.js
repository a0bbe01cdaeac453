import { useState } from 'preact/hooks';
import { readAccount } from './account.js';
import { askFile, faultOf } from './api.js';
import { html } from './dom.js';
import { readKey } from './key.js';
import { Push } from './push.js';
import { toQuery } from './search-state.js';
import { FaultLine } from './views/fault.js';
import { PeopleChoice } from './views/people.js';
import { subjectOf } from './views/record-parts.js';
import { counted, word } from './words.js';

/**
 * The formats and tools that the service has, the default first. `wholePlans`: the plans that export every kind.
 * @typedef {{ name: string, title: string }} Named @typedef {{ value: string, count?: number }} KindCount
 * @typedef {import('./views/record-parts.js').Row} Row
 * @typedef {{ formats: readonly Named[], tools: readonly Named[], wholePlans: readonly string[] }} Service
 */

/**
 * The popups that export and push the selected rows, or all that is found if none is selected. Empty without a key. `ofPeople`:
 * whether people are the rows, unless somebody chooses otherwise. `unsent`: rows of a list that are not selected.
 * @param {Service} service @param {import('./search-state.js').SearchState} found @param {readonly KindCount[]} foundKinds
 * @param {readonly Row[]} selected @param {{ ofPeople?: boolean, unsent?: readonly Row[] }} [more]
 */
export function viewSending(
  { formats, tools, wholePlans },
  found,
  foundKinds,
  selected,
  { ofPeople = false, unsent } = {},
) {
  if (readKey() === null) return {};
  const isSelected = selected.length > 0;
  const records = new Map(selected.map(({ record }) => [record.id, record]));
  const namesPeople = selected.some((row) => subjectOf(row).contact_id !== null);
  // The API selects media, and of a list the people that it names at them.
  const isApart = namesPeople && (unsent === undefined || unsent.some(({ record }) => records.has(record.id)));
  if (records.size > 100 || isApart) {
    const hint = html`<p>The API takes at most 100 selected media, and people only of a list. Keep these in a list of their own, and send that.</p>`;
    return { exporting: hint, pushing: hint };
  }
  const query = toQuery(found);
  const kinds = isSelected ? countKinds([...records.values()]) : foundKinds;
  if (isSelected) {
    // The export of a list includes its notes.
    for (const name of [...query.keys()].filter((name) => name !== 'list')) query.delete(name);
    query.set('id', [...records.keys()].join('|'));
  }
  const plan = readAccount();
  const isWhole = plan?.status === 'active' && wholePlans.includes(plan.plan);
  return {
    isWhole,
    exporting: html`<${Export} key=${ofPeople} query=${query} kinds=${kinds} formats=${formats} isSelected=${isSelected} isWhole=${isWhole} ofPeople=${ofPeople} />`,
    pushing: html`<${Push} key=${`${query} ${ofPeople}`} query=${query} tools=${tools} ofPeople=${ofPeople} />`,
  };
}

/** How many of these there are of each kind. @param {readonly any[]} records */
function countKinds(records) {
  return [...Map.groupBy(records, ({ kind }) => kind)].map(([value, { length }]) => ({ value, count: length }));
}

/**
 * Saves records as a file. `isWhole`: the plan exports every kind.
 * @param {{ query: URLSearchParams, kinds: readonly KindCount[], formats: readonly Named[], isSelected: boolean, isWhole: boolean, ofPeople: boolean }} props
 */
function Export({ query, kinds, formats, isSelected, isWhole, ofPeople }) {
  const [format, choose] = useState(formats[0]?.name ?? '');
  const [said, say] = useState(/** @type {any} */ (null));
  const [isRunning, run] = useState(false);
  // If no kind is named, an export has only outlets.
  const others = query.has('kind') ? [] : kinds.filter(({ value }) => value !== 'outlet');
  const leftOut = isWhole ? 0 : others.reduce((sum, { count = 0 }) => sum + count, 0);
  const asked = new URLSearchParams(query);
  if (isWhole && others.length > 0) asked.set('kind', kinds.map(({ value }) => value).join('|'));
  const label = isSelected ? 'Export these records' : asked.has('kind') ? 'Export these results' : 'Export outlets';
  const [hasPeople, choosePeople] = useState(ofPeople);
  if (hasPeople) asked.set('rows', 'contacts');
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
    <${PeopleChoice} isChosen=${hasPeople} onChoice=${choosePeople} />
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
