/** What takes the focus. */
const focusable = 'a[href], button:not(:disabled), input:not([type="hidden"]), select, textarea, summary';

/**
 * Draws a place. If what had the focus is gone then, what came next in the same part of the page gets it, else what came
 * before, so that keys go on from there and a screen reader says where that is.
 * @param {HTMLElement} place
 * @param {() => void} draw
 */
export function keepFocus(place, draw) {
  const focused = document.activeElement;
  if (focused === null || focused === place || !place.contains(focused)) return draw();
  const order = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(focusable)]);
  const at = order.indexOf(/** @type {HTMLElement} */ (focused));
  const around = [...ancestorsOf(focused)];
  draw();
  if (focused.isConnected) return;
  const home = around.find((element) => element.isConnected) ?? place;
  const near = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).reverse()];
  const all = /** @type {HTMLElement[]} */ ([...near, ...home.querySelectorAll(focusable), place]);
  all.find((element) => home.contains(element) && element.checkVisibility())?.focus();
}

/** The nearest first. @param {Element} element */
function* ancestorsOf(element) {
  for (let { parentElement: up } = element; up !== null; up = up.parentElement) yield up;
}
