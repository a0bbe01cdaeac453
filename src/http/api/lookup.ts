import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { pickKeys } from '#records/fields.ts';
import { lookUpRecords, maxLookups } from '#search/look-up-records.ts';
import { normalForm } from '#text/fold.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { callerOf } from '../endpoint.ts';
import type { FaultDetails } from '../parse/faults.ts';
import { fieldsOfBody, shortList } from '../parse/fields-parameter.ts';
import { readFields } from '../parse/read-body.ts';
import { exampleRecord, recordAnswer, selectedRecordAnswer } from '../record-answer.ts';
import { sendJson } from '../send.ts';

function sayTooMany(count: number): string {
  return `${count} ids and domains are too many. Use at most ${maxLookups} in all.`;
}

/** Texts to look up; read like a parameter, and shown in the answer as they were given. */
function listOf(name: string, meaning: string) {
  return shortList(name, z.string(`Each of ${name} must be a string.`), maxLookups, sayTooMany)
    .nullish()
    .transform((texts) => texts ?? [])
    .describe(`${meaning} At most ${maxLookups} in all.`);
}

export const lookupBody = z
  .strictObject(
    {
      ids: listOf('ids', 'Ids of records.'),
      domains: listOf('domains', 'Hosts, URLs or email addresses, which count as their hosts.'),
      fields: fieldsOfBody,
    },
    'The body must be a JSON object, such as {"domains":["nytimes.com"]}.',
  )
  .superRefine(({ ids, domains }, context) => {
    const count = ids.length + domains.length;
    if (count <= maxLookups) return;
    context.addIssue({
      code: 'custom',
      path: [domains.length > 0 ? 'domains' : 'ids'],
      message: sayTooMany(count),
      params: { code: 'too_many_values' } satisfies FaultDetails,
    });
  });

/** POST /records/lookup: the records of a list of ids and domains (contract A15). */
export function lookup(deps: AppDeps): Endpoint {
  return {
    operationId: 'lookUpRecords',
    tag: 'Media',
    summary: 'Look up a list of records',
    description:
      'Returns the record of each id, then of each domain, in the order asked. A domain finds what it finds in `q`, without correcting typos; of several records, the one whose site it is, else the one with the largest audience. The id of a duplicate finds the record it was merged into. Counts as one request.',
    access: 'key or none',
    body: {
      schema: lookupBody,
      example: { ids: ['outlet-harbour-times'], domains: ['unheard-of.example'] },
      maxKilobytes: 256,
    },
    answer: {
      description: 'A record or null for each, masked like in searches.',
      schema: lookupAnswer,
      example: {
        results: [
          { asked: 'outlet-harbour-times', record: exampleRecord },
          { asked: 'unheard-of.example', record: null },
        ],
        masked: true,
      },
    },
    errors: ['search_unavailable'],
    async handle(req, res) {
      await sendJson(res, await answerLookup(deps, readFields(req.body, lookupBody), callerOf(res)));
    },
  };
}

/** What is asked, as it was given, with its record. */
export async function answerLookup(
  { index, mergedIds, now }: Pick<AppDeps, 'index' | 'mergedIds' | 'now'>,
  { ids, domains, fields }: z.output<typeof lookupBody>,
  caller: Caller,
) {
  const normal = (text: string) => normalForm(text, 'NFC').trim();
  const asked = { ids: ids.map(normal), domains: domains.map(normal) };
  const { lookups, isMasked } = await lookUpRecords({ index, mergedIds }, asked, caller, now());
  const given = [...ids, ...domains];
  const results = lookups.map(({ record }, place) => ({
    asked: given[place] ?? '',
    record: record && pickKeys(record, fields ?? undefined),
  }));
  return { results, masked: isMasked };
}

export const lookupAnswer = z
  .strictObject({
    results: z.array(
      z.strictObject({
        asked: z.string().describe('The id or domain, as it was given.'),
        record: z
          .union([recordAnswer, selectedRecordAnswer, z.null()])
          .describe('Null if nothing has this id or domain.'),
      }),
    ),
    masked: z.boolean().describe('Whether addresses are masked, for lack of an active plan.'),
  })
  .meta({ id: 'Lookup' });
