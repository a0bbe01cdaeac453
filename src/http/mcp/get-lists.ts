import { z } from 'zod';
import { listStatuses } from '#accounts/media-list.ts';
import type { Caller, StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import { answerList, listPageAnswer, listPageSchema, toListPage } from '../api/list-page.ts';
import { listsAnswer, presentList } from '../api/lists.ts';
import { pageShape } from '../parse/parameters.ts';
import {
  aboutMasks,
  describeRecord,
  fieldsArgument,
  listedRecord,
  readArguments,
  type Tool,
  usualKeys,
} from './tool.ts';

/** Models read every record they get, so pages are shorter than those of the API. */
const usualPerPage = 10;

function requireKey({ key }: Caller): StoredKey {
  if (key === null) throw new Problem('key_missing', 'Lists belong to an account. Send its key as a bearer token.');
  return key;
}

export const getLists: Tool = {
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

const maxPerPage = 100;
const parameters = z.object({
  id: z.string('Give the id of a list, from get_lists.'),
  ...listPageSchema(pageShape(maxPerPage, usualPerPage)).shape,
});

export const getList: Tool = {
  name: 'get_list',
  title: 'Get a list',
  description: 'Get a page of the records of a list, each with the note and the status that the account gave it.',
  input: {
    id: z.string().describe('From get_lists.'),
    status: z.array(z.enum(listStatuses)).optional().describe('Only these.'),
    fields: fieldsArgument(usualKeys.join(', ')),
    page: z.int().min(1).default(1),
    per_page: z.int().min(1).max(maxPerPage).default(usualPerPage),
  },
  output: {
    ...listPageAnswer.shape,
    results: z.array(z.strictObject({ ...listPageAnswer.shape.results.element.shape, record: listedRecord })),
  },
  async call(given, deps, caller) {
    const { id, ...page } = readArguments(given, parameters).values;
    const asked = { ...toListPage(page), fields: page.fields ?? usualKeys };
    const { answer } = await answerList(deps, id, asked, requireKey(caller), caller);
    const head = `${answer.name}: ${answer.total} records. Page ${answer.page} of ${answer.total_pages}.`;
    const lines = answer.results.map(
      ({ record, note, status }) => `${status}${note === null ? '' : ` (${note})`}: ${describeRecord(record)}`,
    );
    return { structured: answer, text: [[head, ...aboutMasks(answer.masked, deps)].join(' '), ...lines].join('\n') };
  },
};
