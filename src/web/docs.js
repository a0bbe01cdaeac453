import './account.js';
import { once } from './dom.js';
import { placeOf } from './page.js';
import { counted } from './words.js';

/** Searches /docs: leaves the parts that have all words, and the links to them. */

const field = /** @type {HTMLInputElement} */ (placeOf('#find-here'));
const listParts = once(() =>
  [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.part'))].map((part) => ({
    part,
    text: (part.textContent ?? '').toLowerCase(),
  })),
);
const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('.contents a'));

function find() {
  const parts = listParts();
  const words = field.value.toLowerCase().split(/\s+/);
  for (const { part, text } of parts) part.hidden = !words.every((word) => text.includes(word));
  for (const link of links) {
    const target = document.querySelector(link.hash);
    /** @type {HTMLElement} */ (link.parentElement).hidden = target?.closest('.part[hidden]') !== null;
  }
  for (const list of document.querySelectorAll('.contents ul')) {
    const isEmpty = list.querySelector('li:not([hidden])') === null;
    /** @type {HTMLElement} */ (list.previousElementSibling).hidden = isEmpty;
  }
  const partCount = parts.filter(({ part }) => !part.hidden).length;
  placeOf('.contents [role="status"]').textContent =
    field.value.trim() === '' ? '' : partCount === 0 ? 'Nothing has all of these words' : counted(partCount, 'part');
}

field.addEventListener('input', find);
// A browser keeps what was typed when it goes back.
if (field.value !== '') find();
