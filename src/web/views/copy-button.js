import { html } from '../html.js';
import { locale } from '../locale.js';

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
