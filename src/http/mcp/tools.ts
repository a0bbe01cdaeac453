import { z } from 'zod';
import type { Scope } from '#accounts/further-key.ts';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import { facetFields, pickKeys } from '#records/fields.ts';
import type { RecordKey } from '#records/media-record.ts';
import { openQuery } from '#search/lists/lists.ts';
import { findRecord } from '#search/look-up-records.ts';
import { ofRows } from '#search/search-query.ts';
import { type FieldError, Problem } from '#src/problem.ts';
import { contactsAnswer, contactsSchema, presentContacts } from '../api/contacts.ts';
import { facetsAnswer, presentFacets } from '../api/facets.ts';
import { addedEntries, writeEntries } from '../api/list-entries.ts';
import { answerList, listPageAnswer, listPageShape } from '../api/list-page.ts';
import { listAnswer, listsAnswer, presentList } from '../api/lists.ts';
import { answerLookup, lookupAnswer, lookupBody } from '../api/records.ts';
import { findPage, searchSchema, toSearchRequest } from '../api/search.ts';
import { answerSaved, type SearchDeps, searchAnswer as savedAnswer } from '../api/searches.ts';
import type { AppDeps } from '../app-deps.ts';
import { pageNumbers, presentPage, searchAnswer } from '../page-answer.ts';
import { toProblem } from '../parse/faults.ts';
import { wholeNumberParameter, wordsParameter } from '../parse/parameter-kinds.ts';
import { querySchema, toSearchQuery } from '../parse/query-parameters.ts';
import { readFields } from '../parse/read-body.ts';
import { readObject } from '../parse/read-parameters.ts';
import { pageShape, sortParameter } from '../parse/result-parameters.ts';
import { fieldsParameter } from '../record-answer.ts';
import type texts from './tools.json';

export type ToolDeps = SearchDeps & Pick<AppDeps, 'index' | 'log'>;

/** What models can call: an operation of the API, whose schemas read its arguments and describe its answer. */
interface Tool {
  /** Its texts are in tools.json. */
  name: keyof typeof texts.tools;
  input: z.ZodType;
  output: z.ZodType;
  /** What a key must be for. */
  scope: Scope;
  /** Set if it changes what the account keeps: once however often it is called, or each time. */
  writes?: 'once' | 'each time';
  call(input: object, deps: ToolDeps, caller: Caller): Promise<object>;
}

/** What a list shows of a record unless other fields are asked for: what it is, where, how large, and whom to write to. */
const usualKeys: readonly RecordKey[] = [
  ...(['id', 'kind', 'name', 'url', 'language', 'country', 'region', 'city', 'type', 'categories'] as const),
  ...(['contact_name', 'contact_title', 'email', 'email_status', 'audience'] as const),
];

/** A record: the argument `fields` names all that it can have. */
const listedRecord = z.looseObject({ id: z.string() });

/** A record with the link to its page, for the person whom the model answers. */
function linked<Known extends { id: string }>(record: Known, { publicUrl }: ToolDeps): Known & { page_url: string } {
  return { ...record, page_url: `${publicUrl}/media/${encodeURIComponent(record.id)}` };
}

/** Models read every record they get, so pages are shorter than those of the API. */
const usualPerPage = 10;

/** A tool whose arguments are read as the parameters of the same names are. */
function toolOf<Input extends z.ZodObject>({
  call,
  ...tool
}: Omit<Tool, 'input' | 'call'> & {
  input: Input;
  call(
    input: { values: z.output<Input>; givenParameters: URLSearchParams },
    deps: ToolDeps,
    caller: Caller,
  ): Promise<object>;
}): Tool {
  return {
    ...tool,
    call(input, deps, caller) {
      const faults: FieldError[] = [];
      const parameters = readObject(input, tool.input, faults);
      if (parameters === null) throw toProblem(faults);
      return call(parameters, deps, caller);
    },
  };
}

const searchMedia = toolOf({
  name: 'search_media',
  scope: 'search',
  input: searchSchema({ fields: fieldsParameter, ...pageShape(20, usualPerPage) }),
  output: z.strictObject({
    ...searchAnswer.omit({ next: true }).shape,
    ...pageNumbers,
    results: listedRecord.array(),
    also: listedRecord.array().optional(),
  }),
  async call({ values, givenParameters }, deps, caller) {
    const { fields, ...selection } = values;
    const { page, suggestions } = await findPage(deps, toSearchRequest(selection), { givenParameters, caller });
    const answer = presentPage(page, fields ?? usualKeys, { q: givenParameters.get('q'), suggestions });
    const withLinks = (records: typeof answer.results) => records.map((record) => linked(record, deps));
    return { ...answer, results: withLinks(answer.results), ...(answer.also && { also: withLinks(answer.also) }) };
  },
});

const searchContacts = toolOf({
  name: 'search_contacts',
  scope: 'search',
  input: contactsSchema(pageShape(20, usualPerPage)),
  output: contactsAnswer,
  async call({ values, givenParameters }, deps, caller) {
    const searchRequest = toSearchRequest(values);
    const request = { ...searchRequest, query: ofRows(searchRequest.query, 'contacts') };
    const { page, suggestions } = await findPage(deps, request, { givenParameters, caller });
    const answer = presentContacts(page, { q: givenParameters.get('q'), suggestions });
    return { ...answer, results: answer.results.map((result) => ({ ...result, record: linked(result.record, deps) })) };
  },
});

const listNames = facetFields.map(({ facet }) => facet.list);

const countMedia = toolOf({
  name: 'count_media',
  scope: 'search',
  input: querySchema({
    lists: wordsParameter('list', listNames).default(listNames).describe('Only these lists. Default: all.'),
    values: wholeNumberParameter(1, 300)
      .default(10)
      .describe('At most so many values of each list, the most frequent first; 10 unless you say.'),
  }),
  output: z.looseObject({ total: facetsAnswer.shape.total }),
  async call({ values: { lists, values, ...selection }, givenParameters }, deps, caller) {
    const { query } = await openQuery(deps, toSearchQuery(selection), caller);
    const counted = presentFacets(await deps.index.countFacets(query), query, givenParameters.get('q'));
    const isList = (name: string) => listNames.includes(name);
    const entries = Object.entries(counted).filter(([name]) => lists.includes(name) || !isList(name));
    return Object.fromEntries(
      entries.map(([name, value]) => [name, isList(name) && Array.isArray(value) ? value.slice(0, values) : value]),
    );
  },
});

const getRecord = toolOf({
  name: 'get_record',
  scope: 'search',
  input: z.object({
    id: z.string('Give the id of a record, from search_media.').describe('From search_media.'),
    fields: fieldsParameter,
  }),
  output: listedRecord,
  async call({ values: { id, fields } }, deps, caller) {
    return linked(pickKeys(await findRecord(deps, id, caller, deps.now()), fields), deps);
  },
});

const lookupMedia: Tool = {
  name: 'lookup_media',
  scope: 'search',
  input: lookupBody,
  output: z.strictObject({
    ...lookupAnswer.shape,
    results: lookupAnswer.shape.results.element.extend({ record: listedRecord.nullable() }).array(),
  }),
  async call(input, deps, caller) {
    const { fields, ...lookup } = readFields(input, lookupBody);
    const answer = await answerLookup(deps, { ...lookup, fields: fields ?? usualKeys }, caller);
    const results = answer.results.map((result) => ({
      ...result,
      record: result.record && linked(result.record, deps),
    }));
    return { ...answer, results };
  },
};

function requireKey({ key }: Caller): StoredKey {
  if (key === null) throw new Problem('key_missing', 'This belongs to an account. Send its key as a bearer token.');
  return key;
}

const getLists = toolOf({
  name: 'get_lists',
  scope: 'lists',
  input: z.object({}),
  output: listsAnswer,
  async call(_given, { lists }, caller) {
    return { lists: (await lists.list(requireKey(caller).hash)).map(presentList) };
  },
});

const { dates: _, ...pageOfList } = listPageShape;

const getList = toolOf({
  name: 'get_list',
  scope: 'lists',
  input: z.object({
    id: z.string('Give the id of a list, from get_lists.').describe('From get_lists.'),
    ...pageOfList,
    // Short: models have 16,000 characters for all tools.
    sort: sortParameter,
    ...pageShape(100, usualPerPage),
  }),
  output: z.strictObject({
    ...listPageAnswer.shape,
    results: z.array(
      listPageAnswer.shape.results.element.extend({ record: listedRecord, contact: z.looseObject({}).nullable() }),
    ),
  }),
  async call({ values: { id, ...page } }, deps, caller) {
    const listPage = { ...page, dates: true, fields: page.fields ?? usualKeys };
    const { answer } = await answerList(deps, id, listPage, requireKey(caller));
    return { ...answer, results: answer.results.map((entry) => ({ ...entry, record: linked(entry.record, deps) })) };
  },
});

const addToListBody = z.strictObject({
  list: z.string('Give the id of a list, from get_lists.').describe('From get_lists.'),
  add: addedEntries,
});

const addToList: Tool = {
  name: 'add_to_list',
  scope: 'lists',
  input: addToListBody,
  output: listAnswer,
  writes: 'once',
  async call(input, deps, caller) {
    const { list: id, add } = readFields(input, addToListBody);
    return presentList(await writeEntries(deps, { id, version: null }, { add }, requireKey(caller)));
  },
};

const saveSearch: Tool = {
  name: 'save_search',
  scope: 'search',
  input: z.object({ name: z.string(), filters: z.object({}).describe('q and the filters of search_media.') }),
  output: savedAnswer,
  writes: 'each time',
  call: (input, deps, caller) => answerSaved(deps, input, requireKey(caller)),
};

/** THE TOOLS, in the order in which models see them. */
export const tools: readonly Tool[] = [
  ...[searchMedia, searchContacts, countMedia, getRecord, lookupMedia],
  ...[getLists, getList, addToList, saveSearch],
];
