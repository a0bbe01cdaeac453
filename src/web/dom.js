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

/** Made at the first use: Intl objects take long to make. @template T @param {() => T} make @returns {() => T} */
export function once(make) {
  /** @type {{ value: T } | undefined} */
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What every tab of this browser stores under the name; nothing where the browser refuses. @param {string} name */
export function readStored(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}');
  } catch {
    return {};
  }
}

/** Stores it for every tab of this browser. @param {string} name @param {unknown} value @returns {boolean} false where the browser refuses */
export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
