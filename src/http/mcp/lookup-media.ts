import { z } from 'zod';
import { maxLookups } from '#search/look-up-records.ts';
import { answerLookup, lookupAnswer, lookupBody } from '../api/lookup.ts';
import { readFields } from '../parse/read-json-body.ts';
import { aboutMasks, answerSchema, describeRecord, listedRecord, usualKeys } from './answers.ts';
import { argumentsSchema, fieldsArgument } from './arguments.ts';
import type { Tool } from './tool.ts';

const listOf = (description: string) => ({
  type: 'array',
  items: { type: 'string' },
  maxItems: maxLookups,
  description,
});

export const lookupMedia: Tool = {
  name: 'lookup_media',
  title: 'Look up media',
  description: `Look up a list of media that you know by id or by website, at most ${maxLookups} in all. Answers in the order asked, ids first; what is unknown has no record.`,
  inputSchema: argumentsSchema({
    ids: listOf('Ids of records.'),
    domains: listOf('Hosts, URLs or email addresses (for their hosts), such as nytimes.com.'),
    fields: fieldsArgument(usualKeys.join(', ')),
  }),
  outputSchema: answerSchema({
    ...lookupAnswer.shape,
    results: z.array(z.strictObject({ asked: z.string(), record: listedRecord.nullable() })),
  }),
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
