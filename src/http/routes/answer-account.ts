import type { RequestHandler } from 'express';
import { readAccount } from '#usecases/read-account.ts';
import type { AppDeps } from '../app-deps.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { noParameters } from '../parse/search-parameters.ts';
import { presentAccount } from '../present/present-account.ts';
import { keyOf } from '../request-state.ts';

/** GET /me: what the caller's key gives. */
export function answerAccount({ now }: AppDeps): RequestHandler {
  return (req, res) => {
    readParameters(req.originalUrl, noParameters);
    res.json(presentAccount(readAccount(keyOf(res), now())));
  };
}
