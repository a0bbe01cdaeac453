import { html, nothing } from 'lit-html';
import { ApiError, ask, explain } from './api.js';
import { formatCount, sentence } from './format.js';
import { readKey } from './key.js';
import { toQuery } from './search-state.js';

/**
 * An export, as far as it is. `done`: the rows that came; `total`: those there are.
 * @typedef {{ done: number, total: number, isRunning: boolean, fault: ReturnType<typeof explain> | null, isCut: boolean }} Progress
 */

/**
 * The formats there are, the default first.
 * @type {{ name: string, title: string }[]}
 */
const formats = JSON.parse(document.querySelector('#formats')?.textContent ?? '[]');

/** @type {Progress | null} */
let progress = null;
let format = formats[0]?.name ?? '';
let controller = new AbortController();

/**
 * The button that saves everything found as a file, and how far it is.
 * @param {import('./search-state.js').SearchState} state
 * @param {() => void} redraw
 */
export function viewExport(state, redraw) {
  const kinds = state.filters.get('kind') ?? [];
  const subject = kinds.length === 0 ? 'outlets' : 'these results';
  const choose = (/** @type {Event} */ event) => {
    format = /** @type {HTMLSelectElement} */ (event.target).value;
  };
  if (readKey() === null && progress === null) return nothing;
  return html`<div class="export">
    ${
      readKey() === null
        ? nothing
        : html`<label for="format" class="unseen">Format of the file</label>
            <select id="format" @change=${choose}>
              ${formats.map(({ name, title }) => html`<option value=${name}>${sentence(title)}</option>`)}
            </select>
            <button type="button" ?disabled=${progress?.isRunning ?? false} @click=${() => runExport(state, redraw)}>
              Export ${subject}
            </button>`
    }
    ${viewProgress()}
  </div>`;
}

function viewProgress() {
  if (progress === null) return nothing;
  const { done, total, isRunning, fault, isCut } = progress;
  if (fault) {
    return html`<p class="wrong" role="alert"><strong>${fault.title}.</strong> ${fault.detail} ${fault.status === 403 ? html`<a href="plans">See plans</a>` : nothing}</p>`;
  }
  if (isCut) {
    return html`<p class="wrong" role="alert">
      <strong>The file was cut off</strong> after ${formatCount(done)} of ${formatCount(total)} rows, so it was not saved. Export again.
    </p>`;
  }
  if (!isRunning) return html`<p role="status">Saved ${formatCount(done)} rows.</p>`;
  return html`<p>
    <progress max=${Math.max(total, 1)} value=${done} aria-label="Export"></progress>
    ${formatCount(done)} of ${formatCount(total)} rows
    <button type="button" class="quiet" @click=${() => controller.abort()}>Cancel</button>
  </p>`;
}

/**
 * @param {import('./search-state.js').SearchState} state
 * @param {() => void} redraw
 */
async function runExport(state, redraw) {
  controller = new AbortController();
  const current = { done: 0, total: 0, isRunning: true, fault: null, isCut: false };
  /** @param {Partial<Progress>} change */
  const show = (change) => {
    progress = { ...current, ...progress, ...change };
    redraw();
  };
  progress = null;
  show({});
  try {
    const query = toQuery(state);
    query.set('format', format);
    // Without the mark, Excel does not read the file as UTF-8.
    if (format === 'csv') query.set('bom', '1');
    const response = await ask(`export?${query}`, { signal: controller.signal });
    const total = Number(response.headers.get('X-Total-Count'));
    show({ total });
    const file = await readRows(response, total, (done) => show({ done }));
    // A truncated file breaks the connection; one with fewer rows lacks what was suppressed meanwhile.
    save(file, response.headers.get('Content-Disposition'));
    show({ isRunning: false });
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'AbortError';
    if (isCancelled) progress = null;
    else if (error instanceof ApiError) show({ isRunning: false, fault: explain(error) });
    else show({ isRunning: false, isCut: true });
    redraw();
  }
}

/**
 * Reads the file and counts its rows as they come: line ends outside quotes, less the header of csv. Those of a format
 * without lines are there when all of it is.
 * @param {Response} response
 * @param {number} total
 * @param {(rows: number) => void} onRows
 */
async function readRows(response, total, onRows) {
  const type = response.headers.get('Content-Type') ?? '';
  const hasHeader = type.startsWith('text/');
  const hasLines = hasHeader || type.includes('ndjson');
  const [quote, lineFeed] = [34, 10];
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  let lines = 0;
  let isQuoted = false;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    pieces.push(read.value);
    if (!hasLines) continue;
    for (const byte of read.value) {
      if (byte === quote && hasHeader) isQuoted = !isQuoted;
      else if (byte === lineFeed && !isQuoted) lines += 1;
    }
    onRows(Math.max(lines - Number(hasHeader), 0));
  }
  if (!hasLines) onRows(total);
  return new Blob(pieces, { type });
}

/**
 * @param {Blob} file
 * @param {string | null} disposition
 */
function save(file, disposition) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = /filename="([^"]+)"/.exec(disposition ?? '')?.[1] ?? 'masthead.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
