import { z } from 'zod';
import { maxLookups } from '#search/look-up-records.ts';
import { answerLookup, lookupAnswer, lookupBody } from '../api/lookup.ts';
import { readFields } from '../parse/read-body.ts';
import { aboutMasks, describeRecord, fieldsArgument, listedRecord, type Tool, usualKeys } from './tool.ts';

const upToMost = z.array(z.string()).max(maxLookups).optional();

export const lookupMedia: Tool = {
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
