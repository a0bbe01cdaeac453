import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { findSimilar, maxSimilar } from '#usecases/find-similar.ts';
import type { AppDeps } from '../app-deps.ts';
import { sendRevalidatable } from '../etags.ts';
import { type Api, jsonAnswer, keyOrNone, notModified, ofSearch } from '../openapi/api.ts';
import { caching, paging } from '../openapi/headers.ts';
import { defaultPerPage, wholeNumberParameter } from '../parse/parameters.ts';
import { type ParameterSet, readParameters } from '../parse/read-parameters.ts';
import { callerOf } from '../request-state.ts';
import { recordId } from './record.ts';
import { examplePage, pageLinks, presentPage, searchAnswer } from './search.ts';

const similarSchema = z.object({
  page: wholeNumberParameter(1, Number.MAX_SAFE_INTEGER)
    .meta({
      description: `The page number, from 1. All pages together have at most ${maxSimilar} records.`,
      override: { type: 'integer', minimum: 1, default: 1 },
    })
    .optional(),
  per_page: wholeNumberParameter(1, maxSimilar)
    .meta({
      description: `Records per page, at most ${maxSimilar}.`,
      override: { type: 'integer', minimum: 1, maximum: maxSimilar, default: defaultPerPage },
    })
    .optional(),
});

const similarParameters: ParameterSet<{ page: number; perPage: number }> = {
  schema: similarSchema.transform(({ page = 1, per_page = defaultPerPage }) => ({ page, perPage: per_page })),
  names: Object.keys(similarSchema.shape),
  repeatable: new Set(),
};

/** GET /records/{id}/similar: the records that are most like one (contract A15). */
export function handleSimilar({ index, now, publicUrl }: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { values, given } = readParameters(req.originalUrl, similarParameters);
    const { id } = req.params;
    const page = await findSimilar(index, { id, ...values }, callerOf(res), now());
    const links = pageLinks(`${publicUrl}/api/v1/records/${encodeURIComponent(id)}/similar`, given, page);
    if (links !== '') res.set('Link', links);
    sendRevalidatable(res, presentPage(page));
  };
}

export function describeSimilar({ problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'findSimilar',
    tags: ['Media'],
    summary: 'Find similar media',
    description: `Returns up to ${maxSimilar} records of the same kind that share topics, type, place, language or telling words of the description, the most similar first. Other entries of the same medium are left out. Emails are masked like in searches.`,
    security: keyOrNone,
    requestParams: { path: z.object({ id: recordId }), query: similarSchema },
    responses: {
      200: jsonAnswer('One page of similar records.', searchAnswer, examplePage, { ...paging, ...caching }),
      304: notModified,
      ...problems([...ofSearch, 'not_found']),
    },
  };
}
