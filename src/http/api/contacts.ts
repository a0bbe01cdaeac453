import { z } from 'zod';
import { shownContact } from '#records/contacts/with-contacts.ts';
import { pickKeys } from '#records/fields.ts';
import { contactOfRow, contactRecordKeys, contactRow } from '#search/contact-row.ts';
import type { SearchPage } from '#search/search-records.ts';
import { answerObject, caching, howMatched, notModified } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { type PageNotes, pageLinks, paging, presentMatch, presentNumbers, walkNumbers } from '../page-answer.ts';
import { aboutFilters } from '../parse/filter-parameters.ts';
import { contactQuerySchema } from '../parse/query-parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { contactSortParameter, reachable, walkable, walkShape } from '../parse/result-parameters.ts';
import { contactAnswer, exampleContact, exampleRecord, wholeRecord } from '../record-answer.ts';
import { callerOf } from '../request-state.ts';
import { sendRevalidatable } from '../send.ts';
import { suggestionsAnswer, suggestionsParameter } from '../suggest-searches.ts';
import { findPageOrWalk, requireKeyToWalk, toSearchRequest } from './search.ts';

export function contactsSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return contactQuerySchema({ sort: contactSortParameter, ...shape }).refine(reachable.isReachable, reachable.orElse);
}

const parameters = contactsSchema({ suggestions: suggestionsParameter, ...walkShape() }).refine(
  walkable.isWalkable,
  walkable.orElse,
);

const shownKeys = Object.fromEntries(contactRecordKeys.map((key) => [key, true])) as Record<
  (typeof contactRecordKeys)[number],
  true
>;

const contactResult = answerObject(
  'ContactResult',
  { contact: contactAnswer, record: wholeRecord.pick(shownKeys) },
  'A contact, and the medium where it is one.',
);

const { corrected, dropped } = howMatched;
export const contactsAnswer = answerObject('ContactPage', {
  results: z.array(contactResult),
  ...walkNumbers,
  corrected,
  dropped,
  ...suggestionsAnswer,
});

export function contacts(deps: AppDeps): Endpoint {
  return {
    operationId: 'searchContacts',
    facts: { aboutFilters },
    access: 'key or none',
    scope: 'search',
    query: parameters,
    answer: { schema: contactsAnswer, example: exampleAnswer, headers: { ...paging, ...caching } },
    others: notModified,
    errors: ['search_unavailable', 'page_too_deep', 'key_missing', 'not_found'],
    async handle(req, res) {
      requireKeyToWalk(req.originalUrl, res);
      const { values, givenParameters } = readParameters(req.originalUrl, parameters);
      const request = toSearchRequest(values);
      const contactRequest = { ...request, query: { ...request.query, rows: 'contacts' as const } };
      const asked = { givenParameters, caller: callerOf(res), suggests: values.suggestions };
      const { page, ...notes } = await findPageOrWalk(deps, contactRequest, asked);
      res.set(pageLinks(`${deps.publicUrl}/api/v1/contacts`, givenParameters, page, notes.next));
      await sendRevalidatable(res, presentContacts(page, { q: givenParameters.get('q'), ...notes }));
    },
  };
}

/** A page of contacts as answers contain it. */
export function presentContacts(page: SearchPage, notes: PageNotes) {
  return {
    results: page.records.flatMap(presentRow),
    ...presentNumbers(page, notes.next),
    ...presentMatch(page, notes),
  };
}

function presentRow(row: SearchPage['records'][number]) {
  const contact = contactOfRow(row);
  return contact === undefined ? [] : [{ contact: shownContact(contact), record: pickKeys(row, contactRecordKeys) }];
}

const exampleAnswer = {
  results: presentRow(contactRow(exampleRecord, exampleContact)),
  total: 1,
  page: 1,
  per_page: 20,
  total_pages: 1,
  masked: true,
};
