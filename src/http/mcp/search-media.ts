import { z } from 'zod';
import { openQuery } from '#search/lists.ts';
import { sortKeys } from '#search/search-query.ts';
import { searchRecords } from '#search/search-records.ts';
import { presentPage, searchAnswer, searchSchema, toSearchRequest } from '../api/search.ts';
import { fieldsParameter } from '../parse/fields-parameter.ts';
import { pageShape } from '../parse/parameters.ts';
import { suggestSearches } from '../suggest-searches.ts';
import {
  aboutFilters,
  aboutMasks,
  describeRecord,
  fieldsArgument,
  filterArguments,
  listedRecord,
  readArguments,
  type Tool,
  usualKeys,
} from './tool.ts';

/** Models read every record they get, so pages are shorter than those of the API. */
const maxPerPage = 20;
const usualPerPage = 10;

const parameters = searchSchema({ fields: fieldsParameter, ...pageShape(maxPerPage, usualPerPage) });

export const searchMedia: Tool = {
  name: 'search_media',
  title: 'Search media',
  description: `Find news outlets, podcasts and newsletters with their contacts. ${aboutFilters} Returns a page of records and their exact total; without q, the largest audience first.`,
  input: {
    ...filterArguments,
    sort: z
      .enum(sortKeys.flatMap((key) => [key, `-${key}`]))
      .default('relevance')
      .describe('relevance, name (A to Z), audience (largest first) or updated (newest first); - reverses.'),
    fields: fieldsArgument(usualKeys.join(', ')),
    page: z.int().min(1).default(1),
    per_page: z.int().min(1).max(maxPerPage).default(usualPerPage),
  },
  output: { ...searchAnswer.shape, results: listedRecord.array() },
  async call(given, deps, caller) {
    const { values, given: texts } = readArguments(given, parameters);
    const { fields, ...asked } = values;
    const request = toSearchRequest(asked);
    const { query } = await openQuery(deps, request.query, caller);
    const page = await searchRecords(deps.index, { ...request, query }, caller, deps.now());
    const suggestions = page.total === 0 ? await suggestSearches(deps, texts, caller) : undefined;
    const answer = presentPage(page, fields ?? usualKeys, suggestions);
    const { results, total, masked, corrected } = answer;
    const head = `Matching records: ${total}. Page ${answer.page} of ${answer.total_pages}.`;
    const notes = [
      ...(corrected
        ? ['Some match only after a typo was corrected or a word left out; strict: true leaves those out.']
        : []),
      ...(suggestions ?? []).map((one) => `Try instead: ${JSON.stringify(one)}`),
      ...aboutMasks(masked, deps),
    ];
    return { structured: answer, text: [[head, ...notes].join(' '), ...results.map(describeRecord)].join('\n') };
  },
};
