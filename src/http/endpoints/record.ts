import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { findRecord } from '#usecases/search-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, jsonAnswer, keyOrNone, ofSearch } from '../openapi/api.ts';
import { exampleRecord, presentRecord, recordAnswer } from '../present/present-record.ts';
import { callerOf } from '../request-state.ts';

/** GET /records/{id}: one record. */
export function handleRecord({ index, now }: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    res.json(presentRecord(await findRecord(index, req.params.id, callerOf(res), now())));
  };
}

export const recordId = z.string().describe("The record's id, from a search.");

export function describeRecord({ problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'findRecord',
    tags: ['Media'],
    summary: 'Get a record',
    description: 'Returns one record by its id. Its email is masked unless you send a key with an active plan.',
    security: keyOrNone,
    requestParams: { path: z.object({ id: recordId }) },
    responses: {
      200: jsonAnswer('The record, masked like in searches.', recordAnswer, exampleRecord),
      ...problems([...ofSearch, 'not_found']),
    },
  };
}
