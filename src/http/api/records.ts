import { z } from 'zod';
import type { Caller } from '#accounts/stored-key.ts';
import { pickKeys } from '#records/fields.ts';
import { kinds } from '#records/vocabularies.ts';
import { fewContactsOf } from '#search/few-contacts.ts';
import { findSimilar, maxSimilar } from '#search/find-similar.ts';
import { findRecord, lookUpRecords, maxLookups } from '#search/look-up-records.ts';
import { normalForm } from '#text/fold.ts';
import { answerObject, caching, masked, movedToKept, notModified } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { examplePage, pageLinks, paging, presentPage, searchAnswer } from '../page-answer.ts';
import type { FaultDetails } from '../parse/faults.ts';
import { wordsOfBody } from '../parse/parameter-kinds.ts';
import { readFields } from '../parse/read-body.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { pageShape } from '../parse/result-parameters.ts';
import { exampleRecord, fieldsOfBody, fieldsParameter, recordAnswer, recordOrNull } from '../record-answer.ts';
import { callerOf } from '../request-state.ts';
import { sendJson, sendRevalidatable, sendToKept } from '../send.ts';

const aRecord = {
  access: 'key or none',
  scope: 'search',
  path: z.object({ id: z.string().describe("The record's id, from a search.") }),
  others: { ...notModified, ...movedToKept },
  errors: ['search_unavailable', 'not_found'],
} as const;

const parameters = z.object({ fields: fieldsParameter });

export function record(deps: AppDeps): Endpoint {
  return {
    ...aRecord,
    operationId: 'findRecord',
    query: parameters,
    answer: { schema: recordAnswer, example: exampleRecord, headers: caching },
    async handle(req, res) {
      const { values } = readParameters(req.originalUrl, parameters);
      const foundRecord = await findRecord(deps, req.params.id, callerOf(res), deps.now());
      if (foundRecord.id !== req.params.id) sendToKept(res, encodeURIComponent(foundRecord.id));
      else await sendRevalidatable(res, pickKeys(foundRecord, values.fields));
    },
  };
}

const similarParameters = z.object({ ...pageShape(maxSimilar), fields: fieldsParameter });

export function similar(deps: AppDeps): Endpoint {
  return {
    ...aRecord,
    operationId: 'findSimilar',
    facts: { maxSimilar },
    query: similarParameters,
    answer: { schema: searchAnswer, example: examplePage, headers: { ...paging, ...caching } },
    async handle(req, res) {
      const { values, givenParameters } = readParameters(req.originalUrl, similarParameters);
      const { id } = req.params;
      const paged = { id, page: values.page, perPage: values.per_page };
      const page = await findSimilar(deps, paged, callerOf(res), deps.now());
      if (page.id !== id) return sendToKept(res, `../${encodeURIComponent(page.id)}/similar`);
      res.set(pageLinks(`${deps.publicUrl}/api/v1/records/${encodeURIComponent(id)}/similar`, givenParameters, page));
      await sendRevalidatable(res, presentPage(page, values.fields));
    },
  };
}

const sayTooMany = (count: number) => `${count} values are too many. Use at most ${maxLookups} in all.`;

/** The lists of a lookup, in the order of its results. */
const lookupLists = ['ids', 'domains', 'urls', 'emails'] as const;

/** Texts to look up; read like a parameter, and shown in the answer as they were given. */
function listOf(name: string, meaning: string) {
  return z
    .array(z.string(`Each of ${name} must be a string.`), `${name} must be an array of strings.`)
    .max(maxLookups, { error: ({ input }) => sayTooMany(Object(input).length) })
    .nullish()
    .transform((texts) => texts ?? [])
    .describe(`${meaning} At most ${maxLookups} in all.`);
}

const kindsOfBody = wordsOfBody('kind', kinds)
  .nullish()
  .transform((words) => words ?? [])
  .describe('Only records of these kinds, one or several.');

export const lookupBody = z
  .strictObject(
    {
      ids: listOf('ids', 'Ids of records.'),
      domains: listOf('domains', 'Hosts, or URLs. An email address counts as its host.'),
      urls: listOf('urls', 'URLs of pages. Scheme, `www.`, query, fragment and a slash at the end do not count.'),
      emails: listOf('emails', 'Email addresses. Without an active plan, they count as their hosts.'),
      kind: kindsOfBody,
      fields: fieldsOfBody,
    },
    'The body must be a JSON object, such as {"domains":["nytimes.com"]}.',
  )
  .superRefine((body, context) => {
    const count = lookupLists.reduce((sum, name) => sum + body[name].length, 0);
    // A list that is too long by itself has its own error.
    if (count <= maxLookups || lookupLists.some((name) => body[name].length > maxLookups)) return;
    const path = [lookupLists.findLast((name) => body[name].length > 0) ?? 'ids'];
    const params: FaultDetails = { code: 'too_many_values' };
    context.addIssue({ code: 'custom', path, message: sayTooMany(count), params });
  });

export function lookup(deps: AppDeps): Endpoint {
  return {
    operationId: 'lookUpRecords',
    access: 'key or none',
    scope: 'search',
    body: {
      schema: lookupBody,
      example: { ids: ['outlet-harbour-times'], urls: ['https://unheard-of.example/news'], kind: ['outlet'] },
      maxKilobytes: 256,
    },
    answer: { description: 'A record or null for each, masked like in searches.', schema: lookupAnswer },
    errors: ['search_unavailable'],
    async handle(req, res) {
      await sendJson(res, await answerLookup(deps, readFields(req.body, lookupBody), callerOf(res)));
    },
  };
}

export async function answerLookup(
  { index, mergedIds, now }: Pick<AppDeps, 'index' | 'mergedIds' | 'now'>,
  body: z.output<typeof lookupBody>,
  caller: Caller,
) {
  const normal = (texts: readonly string[]) => texts.map((text) => normalForm(text, 'NFC').trim());
  const query = {
    ids: normal(body.ids),
    domains: normal(body.domains),
    urls: normal(body.urls),
    emails: normal(body.emails),
    kinds: body.kind,
  };
  const { lookups, isMasked } = await lookUpRecords({ index, mergedIds }, query, caller, now());
  const typedTexts = lookupLists.flatMap((name) => body[name]);
  const results = lookups.map(({ record, matches, address }, index) => ({
    asked: typedTexts[index] ?? '',
    record: record && pickKeys(record, body.fields, () => fewContactsOf(record, { address })),
    matches,
  }));
  return { results, masked: isMasked };
}

export const lookupAnswer = answerObject('Lookup', {
  results: z.array(
    z.strictObject({
      asked: z.string().describe('The id, domain, URL or address, as it was given.'),
      record: recordOrNull.describe('Null if no single record is meant.'),
      matches: z
        .int()
        .min(0)
        .describe('How many records have this id, page or address; if none has, how many are at its host.'),
    }),
  ),
  masked,
});
