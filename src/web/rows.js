/** For pages with rows: the selection, the record beside the rows, and keyboard shortcuts. */

import { rowKey } from './views/record-parts.js';

/** The selected rows. They may be on different pages of results. @typedef {ReturnType<typeof createSelection>} Selection */
/** @typedef {import('./views/record-parts.js').Row} Row */

/** @param {() => void} changed called after each change */
export function createSelection(changed) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  const has = (/** @type {Row} */ row) => rows.has(rowKey(row));
  const set = (/** @type {Row} */ row, /** @type {boolean} */ isSelected) =>
    isSelected ? rows.set(rowKey(row), row) : rows.delete(rowKey(row));
  return {
    rows,
    has,
    toggle(/** @type {Row} */ row) {
      set(row, !has(row));
      changed();
    },
    /** Selects all of these; if all are selected, none. @param {readonly Row[]} all */
    toggleAll(all) {
      const isAll = all.every(has);
      for (const row of all) set(row, !isAll);
      changed();
    },
    clear() {
      rows.clear();
      changed();
    },
  };
}

/**
 * Opens records beside their rows, each under a URL of its own (`record=ID`). `urlOf('')` is the URL without a record.
 * @param {HTMLElement} place
 * @param {{ urlOf: (record: string) => string, read: (id: string) => any, draw: () => void }} page
 */
export function createPanel(place, { urlOf, read, draw }) {
  const readId = () => new URLSearchParams(location.search).get('record') ?? '';
  const panel = {
    /** The record that is open. @type {any} */
    record: null,
    /** Shows the record in the URL, or none if it has none. */
    async follow() {
      const id = readId();
      const record = id === '' ? null : await read(id);
      if (id !== readId() || record === panel.record) return;
      panel.record = record;
      draw();
    },
    /** @param {string} id */
    open(id) {
      const isNext = readId() !== '';
      if (isNext) history.replaceState(history.state, '', urlOf(id));
      else history.pushState({ isAfterRows: true }, '', urlOf(id));
      return panel.follow();
    },
    /** Closes the record. The focus returns to its row. */
    async close() {
      const id = readId();
      if (id === '') return;
      if (history.state?.isAfterRows) history.back();
      else history.replaceState(null, '', urlOf(''));
      panel.record = null;
      draw();
      /** @type {HTMLElement | null} */ (place.querySelector(`a.opens[data-id="${CSS.escape(id)}"]`))?.focus();
    },
  };
  startKeys(place, panel.close);
  return panel;
}

/** The link that was clicked, if this page should follow it itself; null for one to another page or into another tab. @param {MouseEvent} event */
export function pressedLink(event) {
  const link = /** @type {HTMLElement} */ (event.target).closest('a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return null;
  // Not link.href, because that is not a text for links in the map, which is SVG.
  const url = new URL(link.getAttribute('href') ?? '', location.href);
  const { id } = link.dataset;
  const isHere = id !== undefined || (url.origin === location.origin && url.pathname === location.pathname);
  return isHere ? { link, url, id } : null;
}

/** Handles the keyboard shortcuts that `KeysHelp` lists, except while the user types. @param {HTMLElement} place @param {() => void} onClose */
function startKeys(place, onClose) {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (document.querySelector('dialog:open, :popover-open') !== null) return;
    if (key === 'Escape') {
      onClose();
      // A browser would empty the search. This leaves it, for the rows.
      if (target.id === 'q') {
        event.preventDefault();
        target.blur();
      }
    }
    if (target.closest('input:not([type="checkbox"]), select, textarea')) return;
    const links = /** @type {HTMLElement[]} */ ([...place.querySelectorAll('a.opens')]);
    const isBeside = place.querySelector('.panel') !== null;
    const row = target.closest('.row') ?? place.querySelector('.row:has(a.opens[aria-current])');
    const at = links.findIndex((link) => row?.contains(link));
    /** @type {Record<string, () => Element | null | undefined>} */
    const targets = {
      '/': () => place.querySelector('#q'),
      j: () => links[at + 1],
      k: () => links[Math.max(at - 1, 0)],
      x: () => row?.querySelector('.select input'),
      e: () => place.querySelector('[popovertarget="export"]'),
      '?': () => place.querySelector('[popovertarget="keys"]'),
    };
    const next = /** @type {HTMLElement | null} */ (Object.hasOwn(targets, key) ? targets[key]?.() : null);
    if (next === null || next === undefined) return;
    event.preventDefault();
    next.focus();
    // What is typed next replaces the search.
    if (key === '/') /** @type {HTMLInputElement} */ (next).select();
    // If a record is open, the next one opens at once.
    if (key === 'x' || key === 'e' || key === '?' || (isBeside && 'jk'.includes(key))) next.click();
  });
}
