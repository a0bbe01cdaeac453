import { ApiError, ask } from './api.js';
import { html } from './dom.js';
import { readKey } from './key.js';
import { locale } from './locale.js';
import { readState, toQuery } from './search-state.js';
import { ExportForm } from './views/export.js';

/** @type {import('./views/export.js').Progress | null} */
let progress = null;
/** @type {string | undefined} */
let format;
let controller = new AbortController();

/**
 * The form that saves everything found as a file, and how far it is; null without a key.
 * @param {import('./search-state.js').SearchState} state
 * @param {readonly { name: string, title: string }[]} formats the default first
 * @param {() => void} redraw
 * @param {{ kinds: readonly { value: string, count?: number }[], isWhole: boolean, isSelected: boolean }} found how many records of
 * each kind there are, whether the plan exports them all, and whether they are what is selected
 */
export function viewExport(state, formats, redraw, { kinds, isWhole, isSelected }) {
  if (readKey() === null) return null;
  format ??= formats[0]?.name ?? '';
  const { export: words } = locale.text;
  // Without a kind, an export has outlets only.
  const others = state.filters.has('kind') ? [] : kinds.filter(({ value }) => value !== 'outlet');
  const isAll = isWhole && others.length > 0;
  const asked = isAll ? withKinds(state, kinds) : state;
  return html`<${ExportForm}
    formats=${formats}
    format=${format}
    label=${isSelected ? words.selected : asked.filters.has('kind') ? words.results : words.outlets}
    leftOut=${isAll ? 0 : others.reduce((sum, { count = 0 }) => sum + count, 0)}
    progress=${progress}
    onChoose=${(/** @type {any} */ event) => {
      format = event.target.value;
      redraw();
    }}
    onExport=${() => runExport(asked, redraw)}
    onCancel=${() => controller.abort()}
  />`;
}

/** @param {import('./search-state.js').SearchState} state @param {readonly { value: string }[]} kinds */
function withKinds(state, kinds) {
  const values = kinds.map(({ value }) => value);
  return { ...state, filters: new Map(state.filters).set('kind', values) };
}

/** Exactly these records. @param {readonly any[]} records @returns {import('./search-state.js').SearchState} */
export function stateOf(records) {
  return readState(new URLSearchParams({ id: records.map(({ id }) => id).join('|') }));
}

/** How many of these there are of each kind. @param {readonly any[]} records */
export function countKinds(records) {
  return [...Map.groupBy(records, ({ kind }) => kind)].map(([value, { length }]) => ({ value, count: length }));
}

/**
 * @param {import('./search-state.js').SearchState} state
 * @param {() => void} redraw
 */
async function runExport(state, redraw) {
  if (progress?.isRunning) return;
  controller = new AbortController();
  const current = { done: 0, total: 0, isRunning: true, fault: null, isCut: false };
  /** @param {Partial<import('./views/export.js').Progress>} change */
  const show = (change) => {
    progress = { ...current, ...progress, ...change };
    redraw();
  };
  progress = null;
  show({});
  try {
    const query = toQuery(state);
    query.set('format', format ?? 'csv');
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
    else if (error instanceof ApiError) show({ isRunning: false, fault: error.fault });
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
