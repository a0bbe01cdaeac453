import { z } from 'zod';
import { pickKeys } from '#records/fields.ts';
import { findRecord } from '#search/search-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { caching, type Endpoint, movedToKept, notModified } from '../endpoint.ts';
import { fieldsParameter } from '../parse/fields-parameter.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { exampleRecord, recordAnswer, selectedRecordAnswer } from '../record-answer.ts';
import { callerOf } from '../request-state.ts';
import { sendRevalidatable, sendToKept } from '../send.ts';

export const recordPath = z.object({ id: z.string().describe("The record's id, from a search.") });

const parameters = z.object({ fields: fieldsParameter });

/** GET /records/{id}: one record. */
export function record(deps: AppDeps): Endpoint {
  return {
    operationId: 'findRecord',
    tag: 'Media',
    summary: 'Get a record',
    description:
      'Returns one record by its id. Its email is masked unless you send a key with an active plan. The id of a duplicate leads to the record it was merged into.',
    access: 'key or none',
    path: recordPath,
    query: parameters,
    answer: {
      description: 'The record, masked like in searches.',
      schema: z.union([recordAnswer, selectedRecordAnswer]),
      example: exampleRecord,
      headers: caching,
    },
    others: { ...notModified, ...movedToKept },
    errors: ['search_unavailable', 'not_found'],
    async handle(req, res) {
      const { values } = readParameters(req.originalUrl, parameters);
      const found = await findRecord(deps, req.params.id, callerOf(res), deps.now());
      if (found.id !== req.params.id) sendToKept(res, encodeURIComponent(found.id));
      else await sendRevalidatable(res, pickKeys(found, values.fields ?? undefined));
    },
  };
}
