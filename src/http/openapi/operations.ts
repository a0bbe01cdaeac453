import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { ProblemCode } from '#domain/problem.ts';
import { checkoutBody } from '../parse/checkout-body.ts';
import { exportSchema } from '../parse/export-parameters.ts';
import { orderSchema } from '../parse/order-parameters.ts';
import { pushBody } from '../parse/push-body.ts';
import { querySchema, searchSchema } from '../parse/search-parameters.ts';
import * as answers from '../present/answers.ts';
import { examples } from './examples.ts';
import { caching, everyAnswer, file, paging } from './headers.ts';
import { jsonAnswer, problemAnswers } from './responses.ts';

const withKey = [{ key: [] }];
const keyOrNone = [{}, { key: [] }];

const always: readonly ProblemCode[] = ['invalid_request', 'rate_limited', 'internal', 'store_unavailable'];
const ofSearch: readonly ProblemCode[] = [...always, 'key_invalid', 'search_unavailable'];
const ofBodies: readonly ProblemCode[] = ['body_too_large', 'unsupported_media_type'];

const recordId = z.object({ id: z.string().describe("The record's id, as searches give it.") });
const orderId = z.object({ id: z.string().describe('The order_id that POST /checkout answered.') });
const idempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      'A UUID, or 32 to 255 random characters. For 24 hours the same key and body give the same answer, also while the first request is under way.',
    ),
});

const search: ZodOpenApiOperationObject = {
  operationId: 'search',
  tags: ['Media'],
  summary: 'Find media, a page at a time',
  description:
    'Without q the largest audience comes first. Different parameters: all of them hold; several values of one: any of them. Emails are masked without a key whose plan runs.',
  security: keyOrNone,
  requestParams: { query: searchSchema },
  responses: {
    200: jsonAnswer('A page of the records that match.', answers.searchAnswer, examples.search, {
      ...paging,
      ...caching,
    }),
    304: { description: 'Nothing has changed since the ETag of If-None-Match.' },
    ...problemAnswers([...ofSearch, 'page_too_deep']),
  },
};

const facets: ZodOpenApiOperationObject = {
  operationId: 'countFacets',
  tags: ['Media'],
  summary: 'Count media by kind, country and so on',
  description:
    'Without parameters the whole database. Each list is counted under all filters but its own, so that a page can offer the alternatives.',
  security: keyOrNone,
  requestParams: { query: querySchema },
  responses: {
    200: jsonAnswer('Every value that has a record.', answers.facetsAnswer, examples.facets, caching),
    304: { description: 'Nothing has changed since the ETag of If-None-Match.' },
    ...problemAnswers(ofSearch),
  },
};

const record: ZodOpenApiOperationObject = {
  operationId: 'findRecord',
  tags: ['Media'],
  summary: 'One record',
  security: keyOrNone,
  requestParams: { path: recordId },
  responses: {
    200: jsonAnswer('The record, masked as in searches.', answers.recordAnswer, examples.record),
    ...problemAnswers([...ofSearch, 'not_found']),
  },
};

const exportFile: ZodOpenApiOperationObject = {
  operationId: 'export',
  tags: ['Media'],
  summary: 'Every record that matches, as a file',
  description:
    'Without kind: outlets. Pro exports outlets as csv, Premium everything. The file is of one moment; gzip where accepted. A connection that breaks means a file that is not whole. X-Total-Count says how many rows there are at the beginning: what is suppressed meanwhile is left out. At most two exports run for a key at once.',
  security: withKey,
  requestParams: { query: exportSchema },
  responses: {
    200: {
      description: 'CSV by RFC 4180, with a header line.',
      headers: jsonAnswer('', z.any(), null, file).headers,
      content: { 'text/csv': { schema: z.string(), example: 'id,kind,name,…\r\n' } },
    },
    ...problemAnswers([...ofSearch, 'key_missing', 'plan_required', 'plan_expired']),
  },
} as ZodOpenApiOperationObject;

const push: ZodOpenApiOperationObject = {
  operationId: 'pushLeads',
  tags: ['Media'],
  summary: 'Add the leads of an export to a campaign of an outbound tool',
  description:
    'Premium only. It goes on when the caller leaves. The api_key of the tool is used for this push and written down nowhere.',
  security: withKey,
  requestParams: { header: idempotencyKey },
  requestBody: {
    required: true,
    content: { 'application/json': { schema: pushBody, example: examples.pushBody } },
  },
  responses: {
    200: jsonAnswer('What became of the leads.', answers.pushAnswer, examples.push),
    ...problemAnswers([
      ...ofSearch,
      ...ofBodies,
      'key_missing',
      'plan_required',
      'plan_expired',
      'idempotency_conflict',
      'too_many_leads',
      'tool_key_rejected',
      'campaign_not_found',
      'tool_failed',
    ]),
  },
};

const account: ZodOpenApiOperationObject = {
  operationId: 'readAccount',
  tags: ['Plans'],
  summary: 'What the key gives, and until when',
  security: withKey,
  responses: {
    200: jsonAnswer('The plan of the key.', answers.accountAnswer, examples.account),
    ...problemAnswers([...always, 'key_missing', 'key_invalid']),
  },
};

const plans: ZodOpenApiOperationObject = {
  operationId: 'listPlans',
  tags: ['Plans'],
  summary: 'What plans there are',
  security: keyOrNone,
  responses: {
    200: jsonAnswer('Each plan with its price.', answers.plansAnswer, examples.plans),
    ...problemAnswers([...always, 'key_invalid']),
  },
};

const checkout: ZodOpenApiOperationObject = {
  operationId: 'startCheckout',
  tags: ['Plans'],
  summary: 'Begin to buy a plan',
  description: 'Send the buyer to checkout_url, then read the order until it is paid: the first read gives the key.',
  security: [],
  requestParams: { header: idempotencyKey },
  requestBody: {
    required: true,
    content: { 'application/json': { schema: checkoutBody, example: examples.checkoutBody } },
  },
  responses: {
    200: jsonAnswer('The order, and where to pay it.', answers.checkoutAnswer, examples.checkout),
    ...problemAnswers([...always, ...ofBodies, 'idempotency_conflict', 'payment_failed']),
  },
};

const order: ZodOpenApiOperationObject = {
  operationId: 'readOrder',
  tags: ['Plans'],
  summary: 'How an order stands; the key, once',
  description:
    'The first read after the payment carries api_key, later ones never do. HEAD and prefetches never take it. A pending order is looked up at the payment provider.',
  security: [],
  requestParams: { path: orderId, query: orderSchema },
  responses: {
    200: jsonAnswer('The order.', answers.orderAnswer, examples.order),
    ...problemAnswers([...always, 'order_not_found']),
  },
};

const stripeEvent: ZodOpenApiOperationObject = {
  operationId: 'receiveStripeEvent',
  tags: ['Operations'],
  summary: 'Events of payments, from Stripe',
  description: 'Signed by Stripe; kept by their id and applied once, in any order.',
  security: [],
  requestParams: {
    header: z.object({ 'Stripe-Signature': z.string().optional().describe('As Stripe signs; without it: 400.') }),
  },
  requestBody: { required: true, content: { 'application/json': { schema: z.looseObject({}) } } },
  responses: {
    200: jsonAnswer('The event is kept.', answers.eventAnswer, { outcome: 'handled' }),
    ...problemAnswers(['invalid_request', ...ofBodies, 'internal', 'store_unavailable']),
  },
};

const plain = z.object(everyAnswer);

const health: ZodOpenApiOperationObject = {
  operationId: 'health',
  tags: ['Operations'],
  summary: 'The process runs and answers',
  security: [],
  responses: {
    200: {
      description: 'It does.',
      headers: plain,
      content: { 'application/json': { schema: answers.healthAnswer, example: { status: 'ok' } } },
    },
  },
};

const readiness: ZodOpenApiOperationObject = {
  operationId: 'readiness',
  tags: ['Operations'],
  summary: 'Whether searches can be answered',
  security: [],
  responses: {
    200: {
      description: 'They can.',
      headers: plain,
      content: { 'application/json': { schema: answers.readyAnswer, example: { status: 'ready' } } },
    },
    503: {
      description: 'Not now; with what is missing.',
      headers: plain,
      content: {
        'application/json': {
          schema: answers.notReadyAnswer,
          example: { status: 'not ready', missing: ['the search index does not answer'] },
        },
      },
    },
  },
};

/** Every path for programs, with what it takes and answers. */
export function describePaths({ hasStripe }: { hasStripe: boolean }): ZodOpenApiPathsObject {
  return {
    '/api/v1/search': { get: search },
    '/api/v1/facets': { get: facets },
    '/api/v1/records/{id}': { get: record },
    '/api/v1/export': { get: exportFile },
    '/api/v1/export/push': { post: push },
    '/api/v1/me': { get: account },
    '/api/v1/plans': { get: plans },
    '/api/v1/checkout': { post: checkout },
    '/api/v1/orders/{id}': { get: order },
    ...(hasStripe && { '/api/v1/webhooks/stripe': { post: stripeEvent } }),
    '/healthz': { get: health },
    '/readyz': { get: readiness },
  };
}
