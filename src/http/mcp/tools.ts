import { z } from 'zod';
import { listStatuses } from '#accounts/media-list.ts';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import { facetFields, pickKeys } from '#records/fields.ts';
import { openQuery } from '#search/lists.ts';
import { maxLookups } from '#search/look-up-records.ts';
import { sortKeys } from '#search/search-query.ts';
import { findRecord, searchRecords } from '#search/search-records.ts';
import { Problem } from '#src/problem.ts';
import { facetsAnswer, presentFacets, presentLists } from '../api/facets.ts';
import { answerList, listPageAnswer, listPageSchema, toListPage } from '../api/list-page.ts';
import { listsAnswer, presentList } from '../api/lists.ts';
import { answerLookup, lookupAnswer, lookupBody } from '../api/lookup.ts';
import { presentPage, searchAnswer, searchSchema, toSearchRequest } from '../api/search.ts';
import { listWords, quote, rejectValue, suggest } from '../parse/faults.ts';
import { fieldsParameter } from '../parse/fields-parameter.ts';
import { pageShape, querySchema, toSearchQuery, wholeNumberParameter } from '../parse/parameters.ts';
import { readFields } from '../parse/read-body.ts';
import { selectedRecordAnswer } from '../record-answer.ts';
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

/** What models are told about all of them. */
export const instructions = `Masthead is a database of news outlets, podcasts and newsletters with their contacts: editorial or publisher addresses to pitch to. Use count_media to see how many records match and which values there are, search_media to find them, get_record for everything about one, and lookup_media for a list of websites or ids.
Filters are exact and say more than words in q, so prefer them for country, language, kind, topic and size. Wrong arguments are errors that name the right ones. Without a key with an active plan, emails are masked, such as j***@example.org: never guess what a mask hides.`;

/** Models read every record they get, so pages are shorter than those of the API. */
const usualPerPage = 10;

/** The arguments of a page. */
const pageArguments = (most: number) => ({
  fields: fieldsArgument(usualKeys.join(', ')),
  page: z.int().min(1).default(1),
  per_page: z.int().min(1).max(most).default(usualPerPage),
});

const maxFound = 20;
const searchParameters = searchSchema({ fields: fieldsParameter, ...pageShape(maxFound, usualPerPage) });

const searchMedia: Tool = {
  name: 'search_media',
  title: 'Search media',
  description: `Find news outlets, podcasts and newsletters with their contacts. ${aboutFilters} Returns a page of records and their exact total; without q, the largest audience first.`,
  input: {
    ...filterArguments,
    sort: z
      .enum(sortKeys.flatMap((key) => [key, `-${key}`]))
      .default('relevance')
      .describe('relevance, name (A to Z), audience (largest first) or updated (newest first); - reverses.'),
    ...pageArguments(maxFound),
  },
  output: { ...searchAnswer.shape, results: listedRecord.array() },
  async call(given, deps, caller) {
    const { values, given: texts } = readArguments(given, searchParameters);
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

const listNames = facetFields.map(({ facet }) => facet.list);
const maxValues = 300;
const usualValues = 10;

/** Names of lists, one each or with commas between them; all without any. */
const listsParameter = z.array(z.string()).transform((texts, context): readonly string[] => {
  const names = texts.flatMap((text) => text.split(',', 100)).slice(0, 100);
  const asked = new Set(names.map((name) => name.trim().toLowerCase()));
  for (const name of asked) {
    if (listNames.includes(name)) continue;
    rejectValue(context, `${quote(name)} is not a list of counts.`, {
      code: 'unknown_value',
      right: `Use ${listWords(listNames)}.`,
      ...suggest(name, listNames),
    });
  }
  return listNames.filter((name) => asked.has(name));
});

const countParameters = querySchema({
  lists: listsParameter.default(listNames),
  values: wholeNumberParameter(1, maxValues).default(usualValues),
});

const countMedia: Tool = {
  name: 'count_media',
  title: 'Count media',
  description: `Count the records that match, in total and by ${listWords(listNames)}: how many there are, or which values a filter can have. Takes the filters of search_media. ${aboutFilters} Each list leaves out its own filter, so it shows the alternatives.`,
  input: {
    ...filterArguments,
    lists: z.array(z.enum(listNames)).optional().describe('Only these lists. Default: all.'),
    values: z
      .int()
      .min(1)
      .max(maxValues)
      .default(usualValues)
      .describe('At most so many values of each list, the most frequent first.'),
  },
  output: facetsAnswer.omit({ audiences: true }).partial().required({ total: true }).shape,
  async call(given, deps, caller) {
    const { lists, values, ...asked } = readArguments(given, countParameters).values;
    const { query } = await openQuery(deps, toSearchQuery(asked), caller);
    const facets = await deps.index.countFacets(query);
    const counted = presentLists(facets.counts);
    const { total, more, corrected, match } = presentFacets(facets, query);
    const shown = lists.map((name) => {
      const all = counted[name] ?? [];
      const first = all.slice(0, values);
      return { name, first, others: all.length - first.length + (more[name] ?? 0) };
    });
    const listed = Object.fromEntries(shown.map(({ name, first }) => [name, first]));
    return {
      structured: { total, ...listed, more, ...(corrected && { corrected }), ...(match && { match }) },
      text: [
        `Matching records: ${total}.`,
        ...shown.map(({ name, first, others }) => {
          const counts = first.map(({ value, label, count }) => `${value} (${label}) ${count}`).join(', ');
          return `${name}: ${counts || 'none'}${others > 0 ? `, and ${others} more values` : ''}`;
        }),
      ].join('\n'),
    };
  },
};

const recordParameters = z.object({
  id: z.string('Give the id of a record, from search_media.'),
  fields: fieldsParameter,
});

const getRecord: Tool = {
  name: 'get_record',
  title: 'Get a record',
  description: 'Get everything known about one outlet, podcast or newsletter by its id.',
  input: { id: z.string().describe('From search_media.'), fields: fieldsArgument('all') },
  output: selectedRecordAnswer.shape,
  async call(given, deps, caller) {
    const { id, fields } = readArguments(given, recordParameters).values;
    const record = pickKeys(await findRecord(deps, id, caller, deps.now()), fields ?? undefined);
    return { structured: { ...record }, text: describeRecord(record) };
  },
};

const upToMost = z.array(z.string()).max(maxLookups).optional();

const lookupMedia: Tool = {
  name: 'lookup_media',
  title: 'Look up media',
  description: `Look up a list of media that you know by id or by website, at most ${maxLookups} in all. Answers in the order asked, ids first; what is unknown has no record.`,
  input: {
    ids: upToMost.describe('Ids of records.'),
    domains: upToMost.describe('Hosts, URLs or email addresses (for their hosts), such as nytimes.com.'),
    fields: fieldsArgument(usualKeys.join(', ')),
  },
  output: {
    ...lookupAnswer.shape,
    results: z.array(z.strictObject({ asked: z.string(), record: listedRecord.nullable() })),
  },
  async call(given, deps, caller) {
    const { fields, ...asked } = readFields(given, lookupBody);
    const answer = await answerLookup(deps, { ...asked, fields: fields ?? usualKeys }, caller);
    const found = answer.results.filter(({ record }) => record !== null);
    const head = [`Found ${found.length} of ${answer.results.length}.`, ...aboutMasks(answer.masked, deps)].join(' ');
    const lines = answer.results.map(
      ({ asked, record }) => `${JSON.stringify(asked)}: ${record === null ? 'unknown' : describeRecord(record)}`,
    );
    return { structured: answer, text: [head, ...lines].join('\n') };
  },
};

function requireKey({ key }: Caller): StoredKey {
  if (key === null) throw new Problem('key_missing', 'Lists belong to an account. Send its key as a bearer token.');
  return key;
}

const getLists: Tool = {
  name: 'get_lists',
  title: 'Get the lists of the account',
  description:
    'Get the lists of media that the account of the key keeps. The filter list of search_media takes their ids.',
  input: {},
  output: listsAnswer.shape,
  async call(given, { lists }, caller) {
    readArguments(given, z.object({}));
    const found = (await lists.list(requireKey(caller).hash)).map(presentList);
    return {
      structured: { lists: found },
      text: [`Lists: ${found.length}.`, ...found.map((list) => JSON.stringify(list))].join('\n'),
    };
  },
};

const maxListed = 100;
const listParameters = z.object({
  id: z.string('Give the id of a list, from get_lists.'),
  ...listPageSchema(pageShape(maxListed, usualPerPage)).shape,
});

const getList: Tool = {
  name: 'get_list',
  title: 'Get a list',
  description: 'Get a page of the records of a list, each with the note and the status that the account gave it.',
  input: {
    id: z.string().describe('From get_lists.'),
    status: z.array(z.enum(listStatuses)).optional().describe('Only these.'),
    ...pageArguments(maxListed),
  },
  output: {
    ...listPageAnswer.shape,
    results: z.array(z.strictObject({ ...listPageAnswer.shape.results.element.shape, record: listedRecord })),
  },
  async call(given, deps, caller) {
    const { id, ...page } = readArguments(given, listParameters).values;
    const asked = { ...toListPage(page), fields: page.fields ?? usualKeys };
    const { answer } = await answerList(deps, id, asked, requireKey(caller), caller);
    const head = `${answer.name}: ${answer.total} records. Page ${answer.page} of ${answer.total_pages}.`;
    const lines = answer.results.map(
      ({ record, note, status }) => `${status}${note === null ? '' : ` (${note})`}: ${describeRecord(record)}`,
    );
    return { structured: answer, text: [[head, ...aboutMasks(answer.masked, deps)].join(' '), ...lines].join('\n') };
  },
};

/** THE TOOLS, in the order in which models see them. */
export const tools: readonly Tool[] = [searchMedia, countMedia, getRecord, lookupMedia, getLists, getList];
