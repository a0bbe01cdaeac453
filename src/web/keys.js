/**
 * Keys that work as in a mail program, where nothing is typed: `/` searches, j and k go to the next and the last row, x selects
 * it, e exports, ? shows all keys, Escape closes the record beside the list. Enter opens a row, as it does any link.
 * @param {HTMLElement} place
 * @param {() => void} onClose
 */
export function startKeys(place, onClose) {
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.defaultPrevented || ctrlKey || metaKey || altKey) return;
    if (document.querySelector('dialog:open, :popover-open') !== null) return;
    if (key === 'Escape') onClose();
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
    // Beside an open record, the next one is read at once.
    if (key === 'x' || key === 'e' || key === '?' || (isBeside && 'jk'.includes(key))) next.click();
  });
}
