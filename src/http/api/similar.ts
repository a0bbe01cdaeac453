import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { RecordKey } from '#records/media-record.ts';
import { findSimilar, maxSimilar } from '#search/find-similar.ts';
import type { AppDeps } from '../app-deps.ts';
import { sendRevalidatable } from '../etags.ts';
import { type Api, jsonAnswer, keyOrNone, movedToKept, notModified, ofSearch } from '../openapi/api.ts';
import { caching, paging } from '../openapi/headers.ts';
import { fieldsParameter, repeatableFields } from '../parse/fields-parameter.ts';
import { defaultPerPage } from '../parse/parameters.ts';
import { type ParameterSet, readParameters } from '../parse/read-parameters.ts';
import { wholeNumberParameter } from '../parse/whole-number.ts';
import { callerOf } from '../request-state.ts';
import { sendToKept } from '../send-to-kept.ts';
import { recordId } from './record.ts';
import { examplePage, pageAnswer, pageLinks, presentPage } from './search.ts';

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
  fields: fieldsParameter.optional(),
});

const similarParameters: ParameterSet<{ page: number; perPage: number; fields: readonly RecordKey[] | null }> = {
  schema: similarSchema.transform(({ page = 1, per_page = defaultPerPage, fields = null }) => ({
    page,
    perPage: per_page,
    fields,
  })),
  names: Object.keys(similarSchema.shape),
  repeatable: repeatableFields,
};

/** GET /records/{id}/similar: the records that are most like one (contract A15). */
export function handleSimilar(deps: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { values, given } = readParameters(req.originalUrl, similarParameters);
    const { fields, ...paged } = values;
    const { id } = req.params;
    const page = await findSimilar(deps, { id, ...paged }, callerOf(res), deps.now());
    if (page.id !== id) {
      sendToKept(res, `../${encodeURIComponent(page.id)}/similar`);
      return;
    }
    const links = pageLinks(`${deps.publicUrl}/api/v1/records/${encodeURIComponent(id)}/similar`, given, page);
    if (links !== '') res.set('Link', links);
    await sendRevalidatable(res, presentPage(page, fields));
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
      200: jsonAnswer('One page of similar records.', pageAnswer, examplePage, { ...paging, ...caching }),
      304: notModified,
      308: movedToKept,
      ...problems([...ofSearch, 'not_found']),
    },
  };
}
