import { openQuery } from '#search/lists.ts';
import { sortKeys } from '#search/search-query.ts';
import { searchRecords } from '#search/search-records.ts';
import { presentPage, searchAnswer, searchParameters } from '../api/search.ts';
import type { FaultDetails } from '../parse/faults.ts';
import type { ParameterSet } from '../parse/read-parameters.ts';
import { aboutMasks, answerSchema, describeRecord, listedRecord, usualKeys } from './answers.ts';
import { aboutFilters, argumentsSchema, fieldsArgument, filterArguments, readArguments } from './arguments.ts';
import type { Tool } from './tool.ts';

/** Models read every record they get, so pages are shorter than those of the API. */
const maxPerPage = 20;
const usualPerPage = 10;

/** Those of GET /search, but shorter pages. */
const parameters = {
  ...searchParameters,
  schema: searchParameters.schema.refine(({ perPage }) => perPage <= maxPerPage, {
    path: ['per_page'],
    message: `per_page must be a whole number from 1 to ${maxPerPage}.`,
    params: { code: 'out_of_range' } satisfies FaultDetails,
  }),
} satisfies ParameterSet<unknown>;

export const searchMedia: Tool = {
  name: 'search_media',
  title: 'Search media',
  description: `Find news outlets, podcasts and newsletters with their contacts. ${aboutFilters} Returns a page of records and their exact total; without q, the largest audience first.`,
  inputSchema: argumentsSchema({
    ...filterArguments,
    sort: {
      type: 'string',
      enum: sortKeys.flatMap((key) => [key, `-${key}`]),
      default: 'relevance',
      description: 'relevance, name (A to Z), audience (largest first) or updated (newest first); - reverses.',
    },
    fields: fieldsArgument(usualKeys.join(', ')),
    page: { type: 'integer', minimum: 1, default: 1 },
    per_page: { type: 'integer', minimum: 1, maximum: maxPerPage, default: usualPerPage },
  }),
  outputSchema: answerSchema({ ...searchAnswer.shape, results: listedRecord.array() }),
  async call(given, deps, caller) {
    const { per_page = null, ...others } = given as { per_page?: unknown };
    const request = readArguments({ ...others, per_page: per_page ?? usualPerPage }, parameters);
    const { query } = await openQuery(deps, request.query, caller);
    const page = await searchRecords(deps.index, { ...request, query }, caller, deps.now());
    const answer = presentPage(page, request.fields ?? usualKeys);
    const { results, total, masked, corrected } = answer;
    const head = `Matching records: ${total}. Page ${answer.page} of ${answer.total_pages}.`;
    const notes = [
      ...(corrected
        ? ['Some match only after a typo was corrected or a word left out; strict: true leaves those out.']
        : []),
      ...aboutMasks(masked, deps),
    ];
    return { structured: answer, text: [[head, ...notes].join(' '), ...results.map(describeRecord)].join('\n') };
  },
};
