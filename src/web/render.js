import { renderToString } from 'preact-render-to-string';
import { html } from './dom.js';
import { readPageState, titleOf } from './search-state.js';
import { Docs, Errors } from './views/docs.js';
import { Explorer } from './views/explorer.js';
import { explain, FaultCard } from './views/fault.js';
import { InFields } from './views/fields.js';
import { Frame, NeedsScript } from './views/frame.js';
import { Media } from './views/media.js';
import { InRoot } from './views/parts.js';
import { Plans } from './views/plans.js';
import { word } from './words.js';

export { fitsPage, maxQuery } from './search-state.js';

/** For pages that only the browser can make, because only it knows the user's lists, key and orders. */
const needsScript = () => html`<${NeedsScript} />`;

/** The pages: their module, their place in the navigation, and their content for a visitor without a key. */
const pages = {
  explorer: {
    title: 'Masthead',
    description: 'Search news outlets, podcasts and newsletters, with their contacts.',
    script: 'explorer.js',
    current: 'search',
    view: (/** @type {any} */ data, /** @type {URLSearchParams} */ query) =>
      html`<${Explorer} data=${data} state=${readPageState(query)} />`,
  },
  media: {
    title: 'Not found – Masthead',
    description: 'A record of this media database.',
    script: 'media.js',
    current: null,
    view: (/** @type {any} */ data) => html`<${Media} data=${data} />`,
  },
  lists: {
    title: 'Your lists – Masthead',
    description: 'Keep and export the records that you choose.',
    script: 'lists.js',
    current: 'lists',
    view: needsScript,
  },
  plans: {
    title: 'Plans – Masthead',
    description: 'Plans, prices and what each plan includes.',
    script: 'plans.js',
    current: 'plans',
    view: (/** @type {any} */ data) => html`<${Plans} ...${data} />`,
  },
  account: {
    title: 'Your key – Masthead',
    description: 'The plan of your key, its use, and how to replace it.',
    script: 'your-key.js',
    current: null,
    view: needsScript,
  },
  claim: {
    title: 'Your key – Masthead',
    description: 'Claim your API key.',
    script: 'claim.js',
    current: null,
    view: needsScript,
  },
  docs: {
    title: 'API – Masthead',
    description: 'A guide of five minutes, and every operation of the API.',
    script: 'account.js',
    current: 'docs',
    view: (/** @type {any} */ data) => html`<${Docs} ...${data} />`,
  },
  errors: {
    title: 'Errors – Masthead',
    description: 'Every error code of the API, and what to do.',
    script: 'account.js',
    current: 'docs',
    view: (/** @type {any} */ data) => html`<${Errors} ...${data} />`,
  },
  fault: {
    title: 'Masthead',
    description: 'What went wrong, and what to do.',
    script: null,
    current: null,
    view: (/** @type {any} */ { fault }) => html`<${FaultCard} level="h1" fault=${fault} />`,
  },
};

/** Renders a page on the server. The page's module takes it over in the browser. @type {typeof import('./render.js').renderPage} */
export const renderPage = ({ page: name, root, contactEmail, fields, data, query }) => {
  const { script, current, view } = pages[name];
  const page = html`<${InRoot} value=${root}>
    <${InFields} value=${fields}>
      <${Frame} current=${current} contactEmail=${contactEmail}>${view(data, query)}</${Frame}>
    </${InFields}>
  </${InRoot}>`;
  const content = renderToString(/** @type {import('preact').VNode} */ (page));
  const isRead = script !== null && script !== 'account.js';
  return {
    ...describe(name, data, query),
    script,
    body: isRead ? `${content}\n${dataScript({ ...data, fields })}` : content,
  };
};

/** The title and the description of a page, for search engines and previews. @param {keyof typeof pages} name @param {any} data @param {URLSearchParams} query */
function describe(name, { record = null, fault = null }, query) {
  const { title, description } = pages[name];
  if (name === 'explorer') return { title: titleOf(readPageState(query)), description };
  if (fault !== null) return { title: `${explain(fault).title} – Masthead`, description };
  if (name !== 'media') return { title, description };
  const facts = [word(record.type ?? record.kind), record.city, record.country_name].filter(Boolean).join(', ');
  return { title: `${record.name} – Masthead`, description: [facts, record.description].filter(Boolean).join('. ') };
}

/** The data for the page's module. `<` is escaped, so that no text in it can end the element. @param {object} data */
function dataScript(data) {
  return `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}
