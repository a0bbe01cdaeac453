import { html } from '../html.js';
import { locale } from '../locale.js';
import { CopyButton } from './copy-button.js';

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
