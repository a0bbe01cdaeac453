import { hydrate, render } from 'preact';
import { html } from './dom.js';
import { InFields } from './views/fields.js';
import { InRoot } from './views/parts.js';

/** What the server found for the page. */
export const data = JSON.parse(document.querySelector('#data')?.textContent ?? '{}');

const root = document.querySelector('a.brand')?.getAttribute('href') ?? './';

/** Places whose content was taken over from the server, each with the timer of its next drawing. @type {Map<Element, ReturnType<typeof setTimeout>>} */
const hydrations = new Map();

/**
 * Takes over what the server put in the place, then draws. Taking over alone sets no properties, such as whether a box is ticked.
 * @param {() => any} view @param {HTMLElement} place
 */
export function show(view, place) {
  const page = () =>
    html`<${InRoot} value=${root}><${InFields} value=${data.fields}>${view()}</${InFields}></${InRoot}>`;
  const draw = () => keepFocus(place, () => render(/** @type {any} */ (page()), place));
  if (hydrations.has(place)) {
    clearTimeout(hydrations.get(place));
    draw();
  } else {
    hydrate(/** @type {any} */ (page()), place);
    // In a task of its own, so that the page can react to the user in between.
    hydrations.set(place, setTimeout(draw));
  }
}

/** @param {string} selector */
export function placeOf(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}

const focusable = 'a[href], button:not(:disabled), input:not([type="hidden"]), select, textarea, summary';

/**
 * Draws. If that removes the focused element, the focus goes to the next one in its part of the page, or to the one before.
 * @param {HTMLElement} place @param {() => void} draw
 */
function keepFocus(place, draw) {
  const focused = document.activeElement;
  if (focused === null || focused === place || !place.contains(focused)) return draw();
  const order = /** @type {HTMLElement[]} */ ([...place.querySelectorAll(focusable)]);
  const at = order.indexOf(/** @type {HTMLElement} */ (focused));
  const around = [...ancestorsOf(focused)];
  draw();
  if (focused.isConnected) return;
  const near = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).reverse()];
  for (const home of around.filter((element) => element.isConnected)) {
    const candidates = /** @type {HTMLElement[]} */ ([...near, ...home.querySelectorAll(focusable)]);
    const next = candidates.find((element) => home.contains(element) && element.checkVisibility());
    if (next !== undefined) return next.focus();
  }
}

/** The ancestors of an element, the nearest first. @param {Element} element */
function* ancestorsOf(element) {
  for (let { parentElement: up } = element; up !== null; up = up.parentElement) yield up;
}

// A button with the class `copy` says in the element after it that it copied.
addEventListener('click', async ({ target }) => {
  const button = /** @type {HTMLElement} */ (target).closest('button.copy');
  if (!(button instanceof HTMLElement)) return;
  const status = /** @type {HTMLElement} */ (button.nextElementSibling);
  try {
    await navigator.clipboard.writeText(button.dataset.text ?? '');
    dispatchEvent(new Event('copy'));
    status.textContent = 'Copied';
  } catch {
    status.textContent = 'Your browser blocked copying. Select the text and copy it.';
  }
});
