import { hydrate, render } from 'preact';
import { html, keepFocus } from './dom.js';
import { InRoot } from './views/parts.js';

/** What the server found for the page. */
export const data = JSON.parse(document.querySelector('#data')?.textContent ?? '{}');

const root = document.querySelector('a.brand')?.getAttribute('href') ?? './';

/** Places whose content is taken over from the server, each with the drawing that waits. @type {Map<Element, ReturnType<typeof setTimeout>>} */
const taken = new Map();

/**
 * Shows a view in the place, which the server may have filled with the same view: that is taken over as it is, and then
 * drawn, since taking over sets no property, such as what is ticked in this browser only.
 * @param {() => any} view
 * @param {HTMLElement} place
 */
export function show(view, place) {
  const draw = () => keepFocus(place, () => render(whole(view()), place));
  if (taken.has(place)) {
    clearTimeout(taken.get(place));
    draw();
  } else {
    hydrate(whole(view()), place);
    // In a task of its own: what a person does in between is not kept waiting for both.
    taken.set(place, setTimeout(draw));
  }
}

/** @param {any} view */
function whole(view) {
  return html`<${InRoot} value=${root}>${view}</${InRoot}>`;
}

/** @param {string} selector */
export function placeOf(selector) {
  return /** @type {HTMLElement} */ (document.querySelector(selector));
}
