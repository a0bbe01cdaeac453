import { z } from 'zod';
import { pickKeys } from '#records/fields.ts';
import { findSimilar, maxSimilar } from '#search/find-similar.ts';
import { findRecord } from '#search/search-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { caching, callerOf, type Endpoint, movedToKept, notModified, paging } from '../endpoint.ts';
import { fieldsParameter } from '../parse/fields-parameter.ts';
import { pageShape } from '../parse/parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { exampleRecord, recordAnswer, selectedRecordAnswer } from '../record-answer.ts';
import { sendRevalidatable, sendToKept } from '../send.ts';
import { examplePage, pageAnswer, pageLinks, presentPage } from './search.ts';

const recordPath = z.object({ id: z.string().describe("The record's id, from a search.") });

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

const similarParameters = z.object({ ...pageShape(maxSimilar), fields: fieldsParameter });

/** GET /records/{id}/similar: the records that are most like one (contract A15). */
export function similar(deps: AppDeps): Endpoint {
  return {
    operationId: 'findSimilar',
    tag: 'Media',
    summary: 'Find similar media',
    description: `Returns up to ${maxSimilar} records of the same kind that share topics, type, place, language or telling words of the description, the most similar first. Other entries of the same medium are left out. Emails are masked like in searches.`,
    access: 'key or none',
    path: recordPath,
    query: similarParameters,
    answer: {
      description: 'One page of similar records.',
      schema: pageAnswer,
      example: examplePage,
      headers: { ...paging, ...caching },
    },
    others: { ...notModified, ...movedToKept },
    errors: ['search_unavailable', 'not_found'],
    async handle(req, res) {
      const { values, given } = readParameters(req.originalUrl, similarParameters);
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
