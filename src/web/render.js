import { renderToString } from 'preact-render-to-string';
import { html } from './dom.js';
import pages from './pages.json' with { type: 'json' };
import { readPageState, titleOf } from './search-state.js';
import { Docs, Errors } from './views/docs.js';
import { Explorer } from './views/explorer.js';
import { explain, FaultPage } from './views/fault.js';
import { InFields } from './views/fields.js';
import { Frame, NeedsScript } from './views/frame.js';
import { Media } from './views/media.js';
import { InRoot } from './views/parts.js';
import { Plans } from './views/plans.js';
import { word } from './words.js';

export { fitsPage, maxQuery, usualSort } from './search-state.js';

/** For pages that only the browser can make, because only it knows the user's lists, key and orders. */
const needsScript = () => html`<${NeedsScript} />`;

/** The content of each page for a visitor without a key. Its module and its place in the navigation: pages.json. */
const views = {
  explorer: (/** @type {any} */ data, /** @type {URLSearchParams} */ query) =>
    html`<${Explorer} data=${data} state=${readPageState(query, data.of)} />`,
  media: (/** @type {any} */ data) => html`<${Media} data=${data} />`,
  lists: needsScript,
  plans: (/** @type {any} */ data) => html`<${Plans} ...${data} />`,
  account: needsScript,
  claim: needsScript,
  docs: (/** @type {any} */ data) => html`<${Docs} ...${data} />`,
  errors: (/** @type {any} */ data) => html`<${Errors} ...${data} />`,
  fault: (/** @type {any} */ { fault }) => html`<${FaultPage} fault=${fault} />`,
};

/** Renders a page on the server. The page's module takes it over in the browser. @type {typeof import('./render.js').renderPage} */
export const renderPage = ({ page: name, root, contactEmail, operator, fields, data, query }) => {
  const { script, current } = pages[name];
  const page = html`<${InRoot} value=${root}>
    <${InFields} value=${fields}>
      <${Frame} current=${current} contactEmail=${contactEmail} operator=${operator}>${views[name](data, query)}</${Frame}>
    </${InFields}>
  </${InRoot}>`;
  const content = renderToString(/** @type {import('preact').VNode} */ (page));
  const isRead = script !== null && !['account.js', 'docs.js'].includes(script);
  return {
    ...describe(name, data, query),
    script,
    body: isRead ? `${content}\n${dataScript({ ...data, fields })}` : content,
  };
};

/** The title and the description of a page, for search engines and previews. @param {keyof typeof pages} name @param {any} data @param {URLSearchParams} query */
function describe(name, { record = null, fault = null, of = 'media' }, query) {
  const { title, description } = pages[name];
  if (name === 'explorer') return { title: titleOf(readPageState(query, of)), description };
  if (fault !== null) return { title: `${explain(fault).title} – Masthead`, description };
  if (name !== 'media') return { title, description };
  const facts = [word(record.type ?? record.kind), record.city, record.country_name].filter(Boolean).join(', ');
  return { title: `${record.name} – Masthead`, description: [facts, record.description].filter(Boolean).join('. ') };
}

/** The data for the page's module. `<` is escaped, so that no text in it can end the element. @param {object} data */
function dataScript(data) {
  return `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}
