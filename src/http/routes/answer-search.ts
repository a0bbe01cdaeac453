import type { RequestHandler } from 'express';
import { searchRecords } from '#usecases/search-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { searchParameters } from '../parse/search-parameters.ts';
import { pageLinks } from '../present/page-links.ts';
import { presentSearch } from '../present/present-search.ts';
import { sendRevalidatable } from '../present/send-revalidatable.ts';
import { callerOf } from '../request-state.ts';

/** GET /search: a page of the records that match. */
export function answerSearch({ index, now, publicUrl }: AppDeps): RequestHandler {
  const url = `${publicUrl}/api/v1/search`;
  return async (req, res) => {
    const { values: request, given } = readParameters(req.originalUrl, searchParameters);
    const page = await searchRecords(index, request, callerOf(res), now());
    const links = pageLinks(url, given, page);
    if (links !== '') res.set('Link', links);
    sendRevalidatable(res, presentSearch(page));
  };
}
