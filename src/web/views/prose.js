import { html } from '../html.js';

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
