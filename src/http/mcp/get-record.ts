import { z } from 'zod';
import { pickKeys } from '#records/fields.ts';
import { findRecord } from '#search/search-records.ts';
import { fieldsParameter, repeatableFields } from '../parse/fields-parameter.ts';
import { selectedRecordAnswer } from '../present/present-record.ts';
import { answerSchema, describeRecord } from './answers.ts';
import { argumentsSchema, fieldsArgument, readArguments } from './arguments.ts';
import type { Tool } from './tool.ts';

const shape = { id: z.string('Give the id of a record, from search_media.'), fields: fieldsParameter.optional() };
const parameters = { schema: z.object(shape), names: Object.keys(shape), repeatable: repeatableFields };

export const getRecord: Tool = {
  name: 'get_record',
  title: 'Get a record',
  description: 'Get everything known about one outlet, podcast or newsletter by its id.',
  inputSchema: argumentsSchema(
    { id: { type: 'string', description: 'From search_media.' }, fields: fieldsArgument('all') },
    ['id'],
  ),
  outputSchema: answerSchema(selectedRecordAnswer.shape),
  async call(given, deps, caller) {
    const { id, fields } = readArguments(given, parameters);
    const record = pickKeys(await findRecord(deps, id, caller, deps.now()), fields ?? undefined);
    return { structured: { ...record }, text: describeRecord(record) };
  },
};
