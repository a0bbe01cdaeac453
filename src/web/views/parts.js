import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { markTerms } from '../marks.js';

const Root = createContext('./');

/** Gives the views within it the way from their page to the root of the service: `./` or `../`. */
export const InRoot = Root.Provider;

/** The way to the root. Every URL is relative to it, so that the service also works below a path. */
export function useRoot() {
  return useContext(Root);
}

/** @type {import('preact').Context<readonly string[]>} */
const Terms = createContext(/** @type {readonly string[]} */ ([]));

/** Gives the views within it what is searched for (`readTerms`). */
export const InTerms = Terms.Provider;

/** A text with what is searched for marked in it. @param {{ text: string }} props */
export function Marked({ text }) {
  const terms = useContext(Terms);
  if (terms.length === 0) return text;
  return markTerms(text, terms).map((piece) => (piece.isMarked ? html`<mark>${piece.text}</mark>` : piece.text));
}

/** What of Markdown our own texts use: code, bold, links. */
const marked = /(`[^`]*`|\*\*[^*]*\*\*|\[[^[\]]*\]\([^()]*\))/;

/** A text of ours with its marks. @param {{ text: string }} props */
export function Prose({ text }) {
  return text.split(marked).map((piece) => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    if (piece.startsWith('**')) return html`<strong>${piece.slice(2, -2)}</strong>`;
    const [, label, target] = /^\[([^\]]*)\]\((.*)\)$/.exec(piece) ?? [];
    return label === undefined ? piece : html`<a href=${target}>${label}</a>`;
  });
}

/**
 * A button that copies a text and says so. `label` is its name for screen readers, if what it shows ("Copy") is not enough.
 * @param {{ textOf: () => string, label?: string, shown?: string, onCopy?: () => void }} props
 */
export function CopyButton({ textOf, label, shown, onCopy = () => {} }) {
  const { copy: words } = locale.text;
  const copy = async (/** @type {any} */ event) => {
    const status = event.currentTarget.nextElementSibling;
    try {
      await navigator.clipboard.writeText(textOf());
      onCopy();
      status.textContent = words.copied;
    } catch {
      status.textContent = words.blocked;
    }
  };
  return html`<button type="button" class="copy needs-script" aria-label=${label} onClick=${copy}>${shown ?? words.copy}</button>${' '}
    <span role="status" class="note"></span>`;
}

/**
 * A button, and what it opens: a native popover, so that Escape and a press outside close it, and the focus returns. `label`: its
 * name where what it shows is not enough. `opened`: whether something in it is to be seen.
 * @param {{ id: string, shown: any, label?: string, opened?: boolean, onOpen?: () => void, children?: any, [attribute: string]: any }} props
 */
export function Popup({ id, shown, label, opened = false, onOpen = () => {}, children, ...attributes }) {
  const popup = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    if (opened) popup.current?.showPopover();
  }, [opened]);
  return html`<button type="button" popovertarget=${id} aria-label=${label} ...${attributes}>${shown}</button>
    <div
      ref=${popup}
      id=${id}
      class="popup"
      popover="auto"
      role="group"
      aria-label=${label ?? shown}
      onToggle=${(/** @type {any} */ { newState }) => newState === 'open' && onOpen()}
    >
      ${children}
    </div>`;
}

/** Closes the popup that a press was in. @param {Event} event */
export function closePopup(event) {
  const popup = /** @type {HTMLElement} */ (event.target).closest('[popover]');
  /** @type {HTMLElement | null} */ (popup)?.hidePopover();
}

/**
 * A new key, which is shown once. `children`: what it does from now on.
 * @param {{ heading: string, apiKey: string, onCopy: () => void, children?: any }} props
 */
export function KeyCard({ heading, apiKey, onCopy, children }) {
  const { claim } = locale.text;
  return html`<div class="card key-card">
    <h2 id="key-heading" tabindex="-1">${heading}</h2>
    <p class="warning"><strong>${claim.copyNow}</strong> ${claim.once}</p>
    <pre tabindex="0" aria-label=${claim.heading}><code>${apiKey}</code></pre>
    <${CopyButton} textOf=${() => apiKey} onCopy=${onCopy} />
    ${children}
  </div>`;
}

/**
 * A field that shows `value`, and keeps what is typed into it while the page is drawn again: until `value` changes, or `since`.
 * @param {{ value: string, since?: string, [attribute: string]: any }} props
 */
export function Field({ value, since, ...attributes }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isNew = useRef(true);
  useLayoutEffect(() => {
    // What was typed before this module was there stays, too.
    if (input.current !== null && !isNew.current) input.current.value = value;
    isNew.current = false;
  }, [value, since]);
  return html`<input ref=${input} defaultValue=${value} ...${attributes} />`;
}
