import { ApiError, ask } from './api.js';
import { html } from './dom.js';
import { readKey } from './key.js';
import { toQuery } from './search-state.js';
import { FaultLine } from './views/fault.js';
import { counted, word } from './words.js';

/** @typedef {import('./search-state.js').SearchState} SearchState @typedef {import('./views/fault.js').Fault} Fault */
/** @typedef {{ rows: number, isRunning: boolean, fault: Fault | null, isCut: boolean }} Progress */

/** @type {Progress | null} */
let progress = null;
/** @type {string | undefined} */
let format;
let controller = new AbortController();

/** How many of these there are of each kind. @param {readonly any[]} records */
export function countKinds(records) {
  return [...Map.groupBy(records, ({ kind }) => kind)].map(([value, { length }]) => ({ value, count: length }));
}

/**
 * Saves what is found or selected; null without a key. `formats`: the default first. `isWhole`: the plan exports all.
 * @param {SearchState} state @param {readonly { name: string, title: string }[]} formats @param {() => void} redraw
 * @param {{ kinds: readonly { value: string, count?: number }[], isWhole: boolean, isSelected: boolean }} found
 */
export function viewExport(state, formats, redraw, { kinds, isWhole, isSelected }) {
  if (readKey() === null) return null;
  format ??= formats[0]?.name ?? '';
  // Without a kind, an export has outlets only.
  const others = state.filters.has('kind') ? [] : kinds.filter(({ value }) => value !== 'outlet');
  const query = toQuery(state);
  if (isWhole && others.length > 0) query.set('kind', kinds.map(({ value }) => value).join('|'));
  const leftOut = isWhole ? 0 : others.reduce((sum, { count = 0 }) => sum + count, 0);
  const label = isSelected ? 'Export what is selected' : query.has('kind') ? 'Export these results' : 'Export outlets';
  const choose = (/** @type {any} */ event) => {
    format = event.target.value;
    redraw();
  };
  return html`<p class="joined">
      <label for="format" class="unseen">Format of the file</label>
      <select id="format" onChange=${choose}>
        ${formats.map(({ name, title }) => html`<option key=${name} value=${name} selected=${name === format}>${word(title)}</option>`)}
      </select>
      <button type="button" aria-disabled=${progress?.isRunning ?? false} onClick=${() => runExport(query, redraw)}>${label}</button>
    </p>
    ${
      leftOut === 0
        ? null
        : html`<p class="note">
            ${counted(leftOut, 'result of another kind is', 'results of other kinds are')} left out with your plan.${' '}
            <a href="plans">See plans</a>
          </p>`
    }
    ${progress === null ? null : html`<${ExportProgress} ...${progress} />`}`;
}

/** @param {Progress} props */
function ExportProgress({ rows, isRunning, fault, isCut }) {
  if (fault !== null) return html`<${FaultLine} fault=${fault} />`;
  if (isCut)
    return html`<p class="wrong" role="alert"><strong>The file was cut off</strong>, so it was not saved. Export again.</p>`;
  if (!isRunning) return html`<p role="status">Saved ${counted(rows, 'row')}.</p>`;
  return html`<p>
    <progress aria-label="Export"></progress> ${rows === 0 ? null : counted(rows, 'row')}${' '}
    <button type="button" class="quiet" onClick=${() => controller.abort()}>Cancel</button>
  </p>`;
}

/** @param {URLSearchParams} query @param {() => void} redraw */
async function runExport(query, redraw) {
  if (progress?.isRunning) return;
  controller = new AbortController();
  /** @type {Progress} */
  const begun = { rows: 0, isRunning: true, fault: null, isCut: false };
  const note = (/** @type {Partial<Progress>} */ change) => {
    progress = { ...begun, ...progress, ...change };
    redraw();
  };
  note(begun);
  try {
    query.set('format', format ?? 'csv');
    // Without the mark, Excel does not read the file as UTF-8.
    if (format === 'csv') query.set('bom', '1');
    const response = await ask(`export?${query}`, { signal: controller.signal });
    note({ rows: Number(response.headers.get('X-Total-Count')) });
    // A truncated file breaks the connection.
    save(await response.blob(), response.headers.get('Content-Disposition'));
    note({ isRunning: false });
  } catch (error) {
    progress = null;
    const isCancelled = error instanceof DOMException && error.name === 'AbortError';
    if (isCancelled) redraw();
    else note({ isRunning: false, ...(error instanceof ApiError ? { fault: error.fault } : { isCut: true }) });
  }
}

/** @param {Blob} file @param {string | null} disposition */
function save(file, disposition) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'masthead.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
