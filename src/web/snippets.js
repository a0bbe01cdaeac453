import { toQuery, toSearchQuery } from './search-state.js';

/**
 * A search as code, ready to paste: one text for each way to ask. The key is a variable in all of them.
 * @param {import('./search-state.js').SearchState} state
 * @param {readonly import('./search-state.js').FilterInfo[]} infos
 * @param {string} serviceUrl of the service, without a trailing slash
 */
export function writeSnippets(state, infos, serviceUrl) {
  const values = readValues(state, infos);
  const named = values.map(([name, value]) => `${name}: ${literal(value)}`);
  // Python has its own words for what is on and off; the API takes 1 as well.
  const keywords = values.map(([name, value]) => `${name}=${value === true ? '"1"' : literal(value)}`);
  // URLSearchParams escapes apostrophes, so nothing typed can end the quotes.
  return {
    curl: `curl -H "Authorization: Bearer $KEY" '${serviceUrl}/api/v1/search${withMark(toSearchQuery(state))}'`,
    typescript: `import { createMasthead } from 'masthead-client';

const masthead = createMasthead({ baseUrl: '${serviceUrl}', apiKey: process.env.MASTHEAD_KEY ?? '' });
const page = await masthead.search({ ${named.join(', ')} });
console.log(page.total, page.results);`,
    python: `import os

from masthead_client import AuthenticatedClient
from masthead_client.api.media import search

client = AuthenticatedClient(base_url="${serviceUrl}", token=os.environ["MASTHEAD_KEY"])
page = search.sync(${['client=client', ...keywords].join(', ')})
print(page.total, page.results)`,
    mcp: `search_media ${literal(Object.fromEntries(values))}`,
    export: `curl -fOJ -H "Authorization: Bearer $KEY" '${serviceUrl}/api/v1/export${withMark(exportQuery(state))}'`,
  };
}

/** Without a kind, an export has outlets only. @param {import('./search-state.js').SearchState} state */
function exportQuery(state) {
  const parameters = toQuery(state);
  if (!parameters.has('kind')) parameters.set('kind', 'outlet|podcast|newsletter');
  return parameters;
}

/**
 * The parameters with values of their types.
 * @param {import('./search-state.js').SearchState} state
 * @param {readonly import('./search-state.js').FilterInfo[]} infos
 * @returns {[string, string | number | true | string[]][]}
 */
function readValues({ q, filters, sort, page }, infos) {
  const known = new Map(infos.map((info) => [info.parameter, info]));
  return [
    ...(q.trim() === '' ? [] : [entry('q', q.trim())]),
    ...Array.from(filters, ([name, values]) => {
      const [first = ''] = values;
      if (known.get(name)?.isSwitch) return entry(name, true);
      if (known.get(name)?.bound === 'number') return entry(name, Number(first));
      return entry(name, values.length === 1 ? first : values);
    }),
    ...(sort === '' ? [] : [entry('sort', sort)]),
    ...(page === 1 ? [] : [entry('page', page)]),
  ];
}

/**
 * @param {string} name
 * @param {string | number | true | string[]} value
 * @returns {[string, string | number | true | string[]]}
 */
const entry = (name, value) => [name, value];

/** Characters that are not seen, or change the order of those that are: a link could hide something in them. */
const unseen = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A value as JSON, which TypeScript and Python read alike. @param {unknown} value */
function literal(value) {
  const spell = (/** @type {string} */ character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(unseen, spell);
}

/** @param {URLSearchParams} parameters */
function withMark(parameters) {
  return parameters.size === 0 ? '' : `?${parameters}`;
}
