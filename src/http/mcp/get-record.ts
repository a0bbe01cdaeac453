import { z } from 'zod';
import { pickKeys } from '#records/fields.ts';
import { findRecord } from '#search/search-records.ts';
import { fieldsParameter } from '../parse/fields-parameter.ts';
import { selectedRecordAnswer } from '../record-answer.ts';
import { describeRecord, fieldsArgument, readArguments, type Tool } from './tool.ts';

const parameters = z.object({
  id: z.string('Give the id of a record, from search_media.'),
  fields: fieldsParameter,
});

export const getRecord: Tool = {
  name: 'get_record',
  title: 'Get a record',
  description: 'Get everything known about one outlet, podcast or newsletter by its id.',
  input: { id: z.string().describe('From search_media.'), fields: fieldsArgument('all') },
  output: selectedRecordAnswer.shape,
  async call(given, deps, caller) {
    const { id, fields } = readArguments(given, parameters).values;
    const record = pickKeys(await findRecord(deps, id, caller, deps.now()), fields ?? undefined);
    return { structured: { ...record }, text: describeRecord(record) };
  },
};
