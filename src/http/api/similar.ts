import { z } from 'zod';
import { findSimilar, maxSimilar } from '#search/find-similar.ts';
import type { AppDeps } from '../app-deps.ts';
import { caching, type Endpoint, movedToKept, notModified, paging } from '../endpoint.ts';
import { fieldsParameter } from '../parse/fields-parameter.ts';
import { pageShape } from '../parse/parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { callerOf } from '../request-state.ts';
import { sendRevalidatable, sendToKept } from '../send.ts';
import { recordPath } from './record.ts';
import { examplePage, pageAnswer, pageLinks, presentPage } from './search.ts';

const parameters = z.object({ ...pageShape(maxSimilar), fields: fieldsParameter });

/** GET /records/{id}/similar: the records that are most like one (contract A15). */
export function similar(deps: AppDeps): Endpoint {
  return {
    operationId: 'findSimilar',
    tag: 'Media',
    summary: 'Find similar media',
    description: `Returns up to ${maxSimilar} records of the same kind that share topics, type, place, language or telling words of the description, the most similar first. Other entries of the same medium are left out. Emails are masked like in searches.`,
    access: 'key or none',
    path: recordPath,
    query: parameters,
    answer: {
      description: 'One page of similar records.',
      schema: pageAnswer,
      example: examplePage,
      headers: { ...paging, ...caching },
    },
    others: { ...notModified, ...movedToKept },
    errors: ['search_unavailable', 'not_found'],
    async handle(req, res) {
      const { values, given } = readParameters(req.originalUrl, parameters);
      const { id } = req.params;
      const paged = { id, page: values.page, perPage: values.per_page };
      const page = await findSimilar(deps, paged, callerOf(res), deps.now());
      if (page.id !== id) {
        sendToKept(res, `../${encodeURIComponent(page.id)}/similar`);
        return;
      }
      const links = pageLinks(`${deps.publicUrl}/api/v1/records/${encodeURIComponent(id)}/similar`, given, page);
      if (links !== '') res.set('Link', links);
      await sendRevalidatable(res, presentPage(page, values.fields));
    },
  };
}
