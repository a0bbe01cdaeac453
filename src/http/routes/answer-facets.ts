import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { queryParameters } from '../parse/search-parameters.ts';
import { presentFacets } from '../present/present-facets.ts';
import { sendRevalidatable } from '../present/send-revalidatable.ts';

/** GET /facets: how many records there are of each kind, country and so on, under the filters of /search. */
export function answerFacets({ index }: AppDeps): RequestHandler {
  return async (req, res) => {
    const { values: query } = readParameters(req.originalUrl, queryParameters);
    sendRevalidatable(res, presentFacets(await index.countFacets(query)));
  };
}
