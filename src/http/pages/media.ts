import type { RequestHandler, Response } from 'express';
import { anonymous } from '#accounts/stored-key.ts';
import { pickKeys } from '#records/fields.ts';
import { findSimilar } from '#search/find-similar.ts';
import { findRecord } from '#search/look-up-records.ts';
import type { AppDeps } from '../app-deps.ts';
import { readProblem } from '../problem-answers.ts';
import { requireAdmission } from '../request-state.ts';
import { sendToKept } from '../send.ts';
import { answerPage, createPageRenderer, escapeHtml, presentFault } from './page.ts';

const similarShown = 6;

/** GET /media/{id}: everything known of a record, for a visitor without a key; the error as a page, such as 404. */
export function handleMedia(deps: AppDeps): RequestHandler<{ id: string }> {
  const { render, policy } = createPageRenderer(deps);
  const { publicUrl, contactEmail } = deps;
  return async (req, res) => {
    const { id } = req.params;
    const path = encodeURIComponent(id);
    const pageUrl = `${publicUrl}/media/${path}`;
    const answer = await find(id, res, deps).catch((error: unknown) => ({
      record: null,
      similar: [],
      fault: presentFault(readProblem(error, res, deps.log), res),
    }));
    if (answer.record !== null && answer.record.id !== id) return sendToKept(res, encodeURIComponent(answer.record.id));
    const data = { ...answer, contactEmail, apiUrl: `${publicUrl}/api/v1/records/${path}`, pageUrl };
    const head = answer.record === null ? ['<meta name="robots" content="noindex">'] : linksOf(data);
    const page = render({ page: 'media', root: '../', data, query: new URLSearchParams(), head });
    await answerPage(res, page, policy);
  };
}

async function find(id: string, res: Response, deps: AppDeps) {
  requireAdmission(res);
  const [record, similar] = await Promise.all([
    findRecord(deps, id, anonymous, deps.now()),
    findSimilar(deps, { id, page: 1, perPage: similarShown }, anonymous, deps.now()),
  ]);
  return {
    record: pickKeys(record, null),
    similar: similar.records.map((other) => pickKeys(other, null, () => [])),
    fault: null,
  };
}

function linksOf({ pageUrl, apiUrl }: { pageUrl: string; apiUrl: string }): string[] {
  return [
    `<link rel="canonical" href="${escapeHtml(pageUrl)}">`,
    `<link rel="alternate" type="application/json" href="${escapeHtml(apiUrl)}">`,
    `<meta property="og:url" content="${escapeHtml(pageUrl)}">`,
  ];
}
