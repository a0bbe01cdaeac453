import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { pickKeys } from '#records/fields.ts';
import { findRecord } from '#search/search-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { sendRevalidatable } from '../etags.ts';
import { type Api, jsonAnswer, keyOrNone, movedToKept, notModified, ofSearch } from '../openapi/api.ts';
import { caching } from '../openapi/headers.ts';
import { fieldsParameter, repeatableFields } from '../parse/fields-parameter.ts';
import { type ParameterSet, readParameters } from '../parse/read-parameters.ts';
import { exampleRecord, recordAnswer, selectedRecordAnswer } from '../present/present-record.ts';
import { callerOf } from '../request-state.ts';
import { sendToKept } from '../send-to-kept.ts';

const recordSchema = z.object({ fields: fieldsParameter.optional() });

const recordParameters: ParameterSet<z.output<typeof recordSchema>> = {
  schema: recordSchema,
  names: Object.keys(recordSchema.shape),
  repeatable: repeatableFields,
};

/** GET /records/{id}: one record. */
export function handleRecord(deps: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { values } = readParameters(req.originalUrl, recordParameters);
    const record = await findRecord(deps, req.params.id, callerOf(res), deps.now());
    if (record.id !== req.params.id) sendToKept(res, encodeURIComponent(record.id));
    else await sendRevalidatable(res, pickKeys(record, values.fields ?? undefined));
  };
}

export const recordId = z.string().describe("The record's id, from a search.");

export function describeRecord({ problems }: Api): ZodOpenApiOperationObject {
  const answer = z.union([recordAnswer, selectedRecordAnswer]);
  return {
    operationId: 'findRecord',
    tags: ['Media'],
    summary: 'Get a record',
    description:
      'Returns one record by its id. Its email is masked unless you send a key with an active plan. The id of a duplicate leads to the record it was merged into.',
    security: keyOrNone,
    requestParams: { path: z.object({ id: recordId }), query: recordSchema },
    responses: {
      200: jsonAnswer('The record, masked like in searches.', answer, exampleRecord, caching),
      304: notModified,
      308: movedToKept,
      ...problems([...ofSearch, 'not_found']),
    },
  };
}
