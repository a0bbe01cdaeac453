import { html } from '../html.js';
import { locale } from '../locale.js';
import { writeSnippets } from '../snippets.js';
import { CopyButton } from './copy-button.js';

/**
 * The same search for programs, each way ready to paste.
 * @param {{ state: import('../search-state.js').SearchState, infos: readonly import('../search-state.js').FilterInfo[], serviceUrl: string }} props
 */
export function AsCode({ state, infos, serviceUrl }) {
  const { code, frame } = locale.text;
  const snippets = Object.entries(writeSnippets(state, infos, serviceUrl));
  return html`<details class="code">
    <summary>${code.heading}</summary>
    ${snippets.map(
      ([way, snippet]) => html`<section key=${way} aria-labelledby="code-${way}">
        <h3 id="code-${way}">${code.ways[way]}</h3>
        <pre tabindex="0"><code>${snippet}</code></pre>
        <${CopyButton} textOf=${() => snippet} label=${code.copy(code.ways[way] ?? way)} />
      </section>`,
    )}
    <p class="note">${code.more} <a href="docs">${frame.reference}</a>.</p>
  </details>`;
}
