import { renderToString } from 'preact-render-to-string';
import { html } from './dom.js';
import { locale } from './locale.js';
import { readPageState } from './search-state.js';
import { Docs, Errors } from './views/docs.js';
import { Explorer } from './views/explorer.js';
import { explain, FaultNote } from './views/fault.js';
import { Frame, NeedsScript } from './views/frame.js';
import { Media } from './views/media.js';
import { InRoot } from './views/parts.js';
import { Plans } from './views/plans.js';

export { fitsPage, maxQuery } from './search-state.js';

/** @typedef {{ current: 'search' | 'lists' | 'plans' | 'docs' | null, script: string | null, view: (data: any, query: URLSearchParams) => any, kept?: (data: any) => object }} Page */

/**
 * The pages: their module (none: a page that only says something), their place in the navigation, and their content for a visitor without a key. `kept`: what the
 * module reads of the data, if that is not all of it.
 * @satisfies {Record<string, Page>}
 */
const pages = {
  explorer: {
    script: 'explorer.js',
    current: 'search',
    view: (data, query) => html`<${Explorer} data=${data} state=${readPageState(query)} />`,
  },
  plans: { script: 'plans.js', current: 'plans', view: (data) => html`<${Plans} ...${data} />` },
  media: { script: 'media.js', current: null, view: (data) => html`<${Media} data=${data} />` },
  // Only an account has lists.
  lists: { script: 'lists.js', current: 'lists', view: () => html`<${NeedsScript} />` },
  docs: {
    script: 'docs.js',
    current: 'docs',
    view: (data) => html`<${Docs} ...${data} />`,
    kept: ({ serviceUrl }) => ({ serviceUrl }),
  },
  errors: {
    script: 'docs.js',
    current: 'docs',
    view: ({ codes }) => html`<${Errors} codes=${codes} />`,
    kept: () => ({}),
  },
  // Only the browser knows which orders are its own.
  account: { script: 'your-key.js', current: null, view: () => html`<${NeedsScript} />` },
  claim: { script: 'claim.js', current: null, view: () => html`<${NeedsScript} />` },
  fault: { script: null, current: null, view: ({ fault }) => html`<${FaultNote} fault=${fault} />` },
};

/** @type {import('./render.js').RenderPage} */
export const renderPage = ({ page: name, root, contactEmail, data, query }) => {
  const { script, current, view, kept = (given) => given } = /** @type {Page} */ (pages[name]);
  const page = html`<${InRoot} value=${root}>
    <${Frame} current=${current} contactEmail=${contactEmail}>${view(data, query)}</${Frame}>
  </${InRoot}>`;
  const content = renderToString(/** @type {import('preact').VNode} */ (page));
  const body = script === null ? content : `${content}\n${dataScript(kept(data))}`;
  return { ...describe(name, data), script, body };
};

/**
 * What search engines and previews say of the page.
 * @param {keyof typeof pages} name
 * @param {any} data
 */
function describe(name, { record = null, fault = null }) {
  const { text, word } = locale;
  if (fault !== null && (name === 'media' || name === 'fault'))
    return { ...text.pages[name], title: text.media.title(explain(fault).title) };
  if (name !== 'media') return text.pages[name];
  const place = [record.city, record.country_name];
  const facts = [word(record.type ?? record.kind), ...place].filter(Boolean).join(', ');
  return { title: text.media.title(record.name), description: [facts, record.description].filter(Boolean).join('. ') };
}

/** What the page's module reads. Nothing in it can end the element. @param {object} data */
function dataScript(data) {
  return `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}
