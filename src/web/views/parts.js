import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html, saveFile } from '../dom.js';
import { date, word } from '../words.js';

const Root = createContext('./');

/** Tells the views within it the relative URL of the service's root: `./` or `../`. */
export const InRoot = Root.Provider;

/** The relative URL of the service's root. All URLs begin with it, so that the service also works below a path. */
export function useRoot() {
  return useContext(Root);
}

/** What the service says of the key of the tab; null without one, and until it has answered. @type {import('preact').Context<import('./frame.js').KeyPlan | null>} */
const Plan = createContext(/** @type {import('./frame.js').KeyPlan | null} */ (null));

/** Tells the views within it the plan of the tab's key. */
export const InPlan = Plan.Provider;

/** What needs a plan, for those without one: how to get one; or since when it has ended, and what is left. Of the plans in `comesWith`, any will do. @param {{ what?: string, comesWith?: readonly string[] }} props */
export function NeedsPlan({ what, comesWith }) {
  const plan = useContext(Plan);
  const root = useRoot();
  const plans = (/** @type {string} */ text) => html`<a href="${root}plans">${text}</a>`;
  if (plan?.status === 'expired')
    return html`<p class="hint">${word(plan.plan)} ended on ${date(plan.expires_at)}: addresses are masked, and lists can only be read and deleted. ${plans('Buy again')}</p>`;
  if (plan !== null)
    return html`<p class="hint">${what} with ${comesWith?.map(word).join(' or ')}. ${plans('See the plans')}</p>`;
  return html`<p>${what} with a plan. Sign in above, or ${plans('see the plans')}</p>`;
}

/** Whether the plan of the tab's key has ended. */
export function useEnded() {
  return useContext(Plan)?.status === 'expired';
}

/** The only Markdown in our texts: code, bold, links. */
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

/** A button that copies a text and says so (page.js). `label`: its name for screen readers. @param {{ text: string, label?: string, shown?: string }} props */
export function CopyButton({ text, label, shown = 'Copy' }) {
  return html`<button type="button" class="copy needs-script" aria-label=${label} data-text=${text}>${shown}</button>${' '}
    <span role="status" class="note"></span>`;
}

const Open = createContext(false);

/** Whether the popup around a view is open. */
export function useOpen() {
  return useContext(Open);
}

/**
 * A button that opens a popup. A native popover, so that Escape and a click outside close it, and the focus returns. `shown`:
 * the text of the button; `label`: its name, if the text is not enough. `opened`: whether the popup is open at first.
 * @param {{ id: string, shown: any, label?: string, opened?: boolean, onOpen?: () => void, children?: any, [attribute: string]: any }} props
 */
export function Popup({ id, shown, label, opened = false, onOpen = () => {}, children, ...attributes }) {
  const popup = useRef(/** @type {HTMLElement | null} */ (null));
  const [isOpen, setOpen] = useState(opened);
  const note = (/** @type {boolean} */ isNow) => {
    setOpen(isNow);
    if (isNow) onOpen();
  };
  useLayoutEffect(() => {
    if (opened) popup.current?.showPopover();
    // Somebody may have opened it before its module was there.
    else if (popup.current?.matches(':popover-open')) note(true);
  }, [opened]);
  return html`<button type="button" popovertarget=${id} aria-label=${label} ...${attributes}>${shown}</button>
    <div
      ref=${popup}
      id=${id}
      class="popup"
      popover="auto"
      role="group"
      aria-label=${label ?? shown}
      onToggle=${(/** @type {any} */ { newState }) => note(newState === 'open')}
    >
      <${Open.Provider} value=${isOpen}>${children}</${Open.Provider}>
    </div>`;
}

/** Closes the popup in which somebody clicked. @param {Event} event */
export function closePopup(event) {
  const popup = /** @type {HTMLElement} */ (event.target).closest('[popover]');
  /** @type {HTMLElement | null} */ (popup)?.hidePopover();
}

/** A small table, which scrolls by itself where it is too wide. `headings`: the cells of its first row. @param {{ label: string, headings: any, children?: any }} props */
export function SmallTable({ label, headings, children }) {
  return html`<div class="table wraps" role="region" aria-label=${label} tabindex="0">
    <table>
      <thead><tr>${headings}</tr></thead>
      <tbody>${children}</tbody>
    </table>
  </div>`;
}

/** @param {string} heading */
export const headingCell = (heading) => html`<th key=${heading} scope="col">${heading}</th>`;

/** Stands where rows will be. */
export function Skeleton() {
  return html`<ul class="skeleton" role="list" aria-hidden="true">${Array.from({ length: 8 }, () => html`<li></li>`)}</ul>`;
}

/** A new key, which is shown once. `children`: what it does from now on. @param {{ heading: string, apiKey: string, children?: any }} props */
export function KeyCard({ heading, apiKey, children }) {
  const download = () => {
    saveFile(new Blob([`${apiKey}\n`], { type: 'text/plain' }), 'masthead-key.txt');
    // As page.js says of a text that was copied.
    dispatchEvent(new Event('copy'));
  };
  return html`<div class="card key-card">
    <h2 id="key-heading" tabindex="-1">${heading}</h2>
    <p class="hint"><strong>Copy it now and keep it safe.</strong> It is shown only once, and nobody can look it up later.</p>
    <pre tabindex="0" aria-label="Your key"><code>${apiKey}</code></pre>
    <p class="line actions">
      <${CopyButton} text=${apiKey} />
      <button type="button" onClick=${download}>Download</button>
    </p>
    ${children}
  </div>`;
}

/** A field for the name of a list. `onName`: takes it, and the event; `isFirst`: a popup that opens begins with it. @param {{ label: string, button: string, value?: string, isFirst?: boolean, onName: (name: string, event: any) => void }} props */
export function NameForm({ label, button, value = '', isFirst = false, onName }) {
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const name = event.target.name.value.trim();
    event.target.reset();
    if (name !== '') onName(name, event);
  };
  return html`<form class="line" method="dialog" onSubmit=${submit}>
    <input name="name" autofocus=${isFirst} maxlength="80" required autocomplete="off" dir="auto" aria-label=${label} placeholder=${label} defaultValue=${value} />
    <button>${button}</button>
  </form>`;
}

/**
 * A field that shows `value`. What the user types in it stays when the page is drawn again, until `value` or `since` changes.
 * @param {{ value: string, since?: string, tag?: 'input' | 'textarea', [attribute: string]: any }} props
 */
export function Field({ value, since, tag = 'input', ...attributes }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isNew = useRef(true);
  useLayoutEffect(() => {
    // At first, this keeps what the user typed before the module was loaded.
    if (input.current !== null && !isNew.current && input.current.value !== value) input.current.value = value;
    isNew.current = false;
  }, [value, since]);
  return html`<${tag} ref=${input} defaultValue=${value} ...${attributes} />`;
}
