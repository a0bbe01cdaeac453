import { html } from 'lit-html';

/**
 * A button that copies a text and says so.
 * @param {() => string} textOf
 */
export function copyButton(textOf) {
  const copy = async (/** @type {MouseEvent} */ event) => {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    const status = button.nextElementSibling;
    if (status === null) return;
    try {
      await navigator.clipboard.writeText(textOf());
      status.textContent = 'Copied';
    } catch {
      status.textContent = 'Your browser blocked copying. Select the text and copy it.';
    }
  };
  return html`<button type="button" @click=${copy}>Copy</button> <span role="status" class="note"></span>`;
}
