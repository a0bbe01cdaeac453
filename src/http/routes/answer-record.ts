import type { RequestHandler } from 'express';
import { findRecord } from '#usecases/find-record.ts';
import type { AppDeps } from '../app-deps.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { noParameters } from '../parse/search-parameters.ts';
import { presentRecord } from '../present/present-record.ts';
import { callerOf } from '../request-state.ts';

/** GET /records/{id}: one record. */
export function answerRecord({ index, now }: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    readParameters(req.originalUrl, noParameters);
    res.json(presentRecord(await findRecord(index, req.params.id, callerOf(res), now())));
  };
}
