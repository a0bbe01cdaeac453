import htm from 'htm';
import { h } from 'preact';

// The package is a module, but its types describe it as CommonJS.
const template = /** @type {typeof import('htm').default} */ (/** @type {unknown} */ (htm));

/** Markup without a build step: html`<p class=${name}>${text}</p>`. Values are escaped. */
export const html = template.bind(h);

/** 256 random bits. Not randomUUID, which pages without TLS do not have. */
export function randomText() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The URL if it is safe as a link, otherwise null. Records may have anything, such as `javascript:`. @param {string | null} url */
export function safeUrl(url) {
  return url !== null && /^https?:\/\//i.test(url) ? url : null;
}

/** The host of a URL as people write it, such as example.org; null if there is none. @param {string | null} url */
export function hostOf(url) {
  if (safeUrl(url) === null || !URL.canParse(url ?? '')) return null;
  return new URL(url ?? '').host.replace(/^www\./, '');
}

/** Lets the browser save a file. @param {Blob} file @param {string} name */
export function saveFile(file, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Makes something at its first use. Creating Intl objects takes long. @template T @param {() => T} make @returns {() => T} */
export function once(make) {
  /** @type {{ value: T } | undefined} */
  let result;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

/** Reads what this browser stores under the name, for all tabs; empty if the browser refuses. @param {string} name */
export function readStored(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}');
  } catch {
    return {};
  }
}

/** Stores a value for all tabs of this browser. @param {string} name @param {unknown} value @returns {boolean} false if the browser refuses */
export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
