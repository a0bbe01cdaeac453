import { useEffect, useState } from 'preact/hooks';
import { readAccount } from './account.js';
import { askFile, faultOf } from './api.js';
import { html, saveFile } from './dom.js';
import { readKey } from './key.js';
import { Push } from './push.js';
import { everyKind, isOfList, toQuery } from './search-state.js';
import { FaultLine } from './views/fault.js';
import { NeedsPlan, useOpen } from './views/parts.js';
import { PeopleChoice } from './views/people.js';
import { subjectOf } from './views/record-parts.js';
import { counted, word, write } from './words.js';

/**
 * The formats and tools that the service has, the default first. `isForAll`: every plan that exports has the format. `isOfLeads`: its
 * rows are contacts to write to. `wholePlans`, `pushPlans`: the plans that export every kind, and that push.
 * @typedef {{ name: string, title: string, isForAll: boolean, isOfLeads: boolean }} Format
 * @typedef {import('./views/record-parts.js').Row} Row
 * How many entries of a list a file of people leaves out, and one of media. @typedef {{ media: number, people: number }} Lost
 * @typedef {{ formats: readonly Format[], tools: readonly { name: string, title: string }[], wholePlans: readonly string[], pushPlans: readonly string[] }} Service
 */

/**
 * The popups that export and push the selected rows, or all that is found if none is selected. Empty without a key. `ofPeople`:
 * whether people are the rows, unless somebody chooses otherwise. `unsent`: rows of a list that are not selected. `declined`: how
 * many of the rows said no.
 * @param {Service} service @param {import('./search-state.js').SearchState} state
 * @param {readonly Row[]} selected @param {{ ofPeople?: boolean, unsent?: readonly Row[], declined?: number, lost?: Lost }} [more]
 */
export function viewSending(
  { formats, tools, wholePlans, pushPlans },
  state,
  selected,
  { ofPeople = false, unsent, declined = 0, lost = { media: 0, people: 0 } } = {},
) {
  const plan = readAccount();
  if (readKey() === null || plan?.status === 'expired') return {};
  const isSelected = selected.length > 0;
  const records = new Map(selected.map(({ record }) => [record.id, record]));
  const namesPeople = selected.some((row) => subjectOf(row).contact_id !== null);
  // The API selects media, and of a list all that it names at them.
  const isApart = unsent === undefined ? namesPeople : unsent.some(({ record }) => records.has(record.id));
  if (records.size > 100 || isApart) {
    const hint = html`<p>The API takes at most 100 selected media, and people only of a list. Add these to a list of their own, and send that.</p>`;
    return { exporting: hint, pushing: hint };
  }
  const query = toQuery(state);
  if (isSelected) {
    // The export of a list includes its notes.
    for (const name of [...query.keys()].filter((name) => name !== 'list' || !isOfList(state))) query.delete(name);
    query.set('id', [...records.keys()].join('|'));
  }
  const isWhole = plan !== null && wholePlans.includes(plan.plan);
  const advice =
    unsent === undefined
      ? 'To leave out who did, untick them.'
      : 'To leave out who did, here or in another list, mark them so and choose a status above the table.';
  const warning =
    declined === 0
      ? null
      : html`<p><strong>${declined === 1 ? 'One of them' : `${write(declined)} of them`} declined. ${advice}</strong></p>`;
  const exports = { query, formats, isWhole, wholePlans, ofPeople, lost, warning };
  return {
    isWhole,
    exporting: html`<${Export} key=${ofPeople} ...${exports} />`,
    pushing:
      plan !== null && !pushPlans.includes(plan.plan)
        ? html`<${NeedsPlan} what="Leads go into campaigns" comesWith=${pushPlans} />`
        : html`${warning}<${Push} key=${`${query} ${ofPeople}`} query=${query} tools=${tools} ofPeople=${ofPeople} lost=${lost} />`,
  };
}

/**
 * Saves records as a file, and says how many before. `isWhole`: the plan exports every kind in every format.
 * @param {{ query: URLSearchParams, formats: readonly Format[], isWhole: boolean, wholePlans: readonly string[], ofPeople: boolean,
 *   lost: Lost, warning: any }} props
 */
function Export({ query, formats, isWhole, wholePlans, ofPeople, lost, warning }) {
  const [name, choose] = useState(formats[0]?.name ?? '');
  const [hasPeople, choosePeople] = useState(ofPeople);
  const [counts, setCounts] = useState(/** @type {Counts | null} */ (null));
  const [said, say] = useState(/** @type {any} */ (null));
  const [isRunning, run] = useState(false);
  const isOpen = useOpen();
  const isOfLeads = formats.some((format) => format.name === name && format.isOfLeads);
  const exportQuery = new URLSearchParams(query);
  if (isWhole && !exportQuery.has('kind')) exportQuery.set('kind', everyKind);
  if (hasPeople) exportQuery.set('rows', 'contacts');
  exportQuery.set('format', name);
  if (exportQuery.has('list')) exportQuery.set('dates', '1');
  // Without a byte order mark, Excel does not read the file as UTF-8.
  if (name === 'csv') exportQuery.set('bom', '1');
  const path = `export?${exportQuery}`;
  const isBeyond = !isWhole && /[^|]/.test(exportQuery.get('kind')?.replaceAll('outlet', '') ?? '');
  useEffect(() => {
    if (!isOpen || isBeyond) return;
    let isMeant = true;
    setCounts(null);
    say(null);
    countRows(exportQuery, isOfLeads).then(
      (counted) => isMeant && setCounts(counted),
      (error) => isMeant && say(html`<${FaultLine} fault=${faultOf(error)} />`),
    );
    return () => {
      isMeant = false;
    };
  }, [isOpen, path, isBeyond]);
  const limit = html`<${NeedsPlan} what="Podcasts, newsletters and other formats come" comesWith=${wholePlans} />`;
  if (isBeyond) return limit;
  const save = async () => {
    if (isRunning || !counts?.rows) return;
    run(true);
    say(html`<progress aria-label="Export"></progress>`);
    try {
      const { file, headers } = await askFile(path);
      saveFile(file, nameOf(headers.get('Content-Disposition') ?? ''));
      say(`Saved ${counted(Number(headers.get('X-Total-Count')), 'row')}.`);
    } catch (error) {
      say(html`<${FaultLine} fault=${faultOf(error)} />`);
    }
    run(false);
  };
  return html`<p class="line">
      <label for="format" class="unseen">Format of the file</label>
      <select id="format" onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${formats.map(({ name: formatName, title, isForAll }) => html`<option key=${formatName} value=${formatName} selected=${formatName === name} disabled=${!isWhole && !isForAll}>${word(title)}</option>`)}
      </select>
      <button type="button" aria-disabled=${isRunning || !counts?.rows} onClick=${save}>Export${counts === null ? '' : ` ${counted(counts.rows, 'row')}`}</button>
    </p>
    <p class="note" role="status">${counts === null ? 'Counting…' : writeAddresses(counts, isOfLeads)}</p>
    ${isOfLeads ? warning : null}
    <${PeopleChoice} isChosen=${hasPeople} lost=${lost} onChoice=${choosePeople} />
    ${isWhole ? null : html`${counts !== null && counts.leftOut > 0 ? html`<p>${counted(counts.leftOut, 'result of another kind is', 'results of other kinds are')} left out.</p>` : null}${limit}`}
    <div role="status">${said}</div>`;
}

/** What a file would hold. `leftOut`: of other kinds. @typedef {{ rows: number, addresses: number, leftOut: number }} Counts */

/** Counts the rows of an export without reading them. @param {URLSearchParams} query @param {boolean} isOfLeads @returns {Promise<Counts>} */
async function countRows(query, isOfLeads) {
  const numbersOf = async (/** @type {string} */ more) => {
    const { headers } = await askFile(`export?${query}${more}`, { method: 'HEAD' });
    return ['X-Total-Count', 'X-Excluded-Count'].map((name) => Number(headers.get(name)));
  };
  const [rows = 0, leftOut = 0] = await numbersOf('');
  const isKnown = isOfLeads || rows === 0 || query.has('has_email');
  const [addresses = 0] = isKnown ? [rows] : await numbersOf('&has_email=1');
  return { rows, addresses, leftOut };
}

/** @param {Counts} counts @param {boolean} isOfLeads */
function writeAddresses({ rows, addresses }, isOfLeads) {
  if (isOfLeads) return 'Only rows with an address, and each address once.';
  if (rows === 0) return 'No row has all that is asked for.';
  return addresses === rows
    ? 'Each has an address.'
    : `${write(addresses)} of them ${addresses === 1 ? 'has' : 'have'} an address.`;
}

/** What the service calls a file. @param {string} disposition */
function nameOf(disposition) {
  const encodedName = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encodedName
    ? decodeURIComponent(encodedName)
    : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? 'masthead.csv');
}
