import htm from 'htm';
import { h } from 'preact';

// The types of the package describe it as CommonJS.
const template = /** @type {typeof import('htm').default} */ (/** @type {unknown} */ (htm));

/** Markup without a build: html`<p class=${name}>${text}</p>`. Values only ever become text. */
export const html = template.bind(h);

/** 256 random bits: randomUUID is not available on pages without TLS. */
export function randomText() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The URL, where a browser may be sent there: data may hold anything. @param {string | null} url */
export function safeUrl(url) {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}

/** The host that a person reads: example.org. Null where there is none. @param {string | null} url */
export function hostOf(url) {
  if (safeUrl(url) === null || !URL.canParse(url ?? '')) return null;
  return new URL(url ?? '').host.replace(/^www\./, '');
}

/**
 * What `make` makes, from the first use on: the Intl objects take longer to make than all else that a page does at first.
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
export function once(make) {
  /** @type {{ value: T } | undefined} */
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Stores something for every tab of this browser.
 * @param {string} name
 * @param {unknown} value
 * @returns {boolean} false where the browser refuses: its storage is full or blocked
 */
export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

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
