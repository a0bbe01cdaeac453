import { renderToString } from 'preact-render-to-string';
import { html } from './html.js';
import { createLocale, InLocale } from './locale.js';
import { readState } from './search-state.js';
import { text } from './texts/en.js';
import { Explorer } from './views/explorer.js';
import { Frame, NeedsScript } from './views/frame.js';
import { Media } from './views/media.js';
import { Plans } from './views/plans.js';
import { InRoot } from './views/root.js';

/** @typedef {{ current: 'search' | 'plans' | null, script: string, view: (data: any, query: URLSearchParams) => any }} Page */

/**
 * The pages: their module, their place in the navigation, and their content for a visitor without a key.
 * @satisfies {Record<string, Page>}
 */
const pages = {
  explorer: {
    script: 'explorer.js',
    current: 'search',
    view: (data, query) => html`<${Explorer} data=${data} state=${readState(query)} />`,
  },
  plans: { script: 'plans.js', current: 'plans', view: ({ plans }) => html`<${Plans} plans=${plans} />` },
  media: { script: 'media.js', current: null, view: (data) => html`<${Media} data=${data} />` },
  // Only the browser knows which orders are its own.
  claim: { script: 'claim.js', current: null, view: () => html`<${NeedsScript} />` },
};

/** @type {import('./render.js').RenderPage} */
export const renderPage = ({ page: name, root, contactEmail, data, query }) => {
  const { script, current, view } = pages[name];
  const page = html`<${InLocale} value=${createLocale(text)}><${InRoot} value=${root}>
    <${Frame} current=${current} contactEmail=${contactEmail}>${view(data, query)}</${Frame}>
  </${InRoot}></${InLocale}>`;
  const body = `${renderToString(/** @type {import('preact').VNode} */ (page))}\n${dataScript(data)}`;
  return { ...describe(name, data), language: text.language, script, body };
};

/** What search engines and previews say of the page. @param {keyof typeof pages} name @param {any} data */
function describe(name, data) {
  if (name !== 'media' || data.record === null) return text.pages[name];
  const { record } = data;
  const { word } = createLocale(text);
  const facts = [word(record.type ?? record.kind), record.city, record.country_name].filter(Boolean).join(', ');
  return { title: text.media.title(record.name), description: [facts, record.description].filter(Boolean).join('. ') };
}

/** What the page's module reads. Nothing in it can end the element. @param {object} data */
function dataScript(data) {
  return `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}
