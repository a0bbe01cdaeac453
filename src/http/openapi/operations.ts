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

const recordId = z.object({ id: z.string().describe("The record's id, from a search.") });
const orderId = z.object({ id: z.string().describe('The order_id from POST /checkout.') });
const idempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      'A UUID, or 32 to 255 random characters. For 24 hours, the same key and body get the same answer, even while the first request is running.',
    ),
});

const search: ZodOpenApiOperationObject = {
  operationId: 'search',
  tags: ['Media'],
  summary: 'Search media',
  description:
    "Returns one page of results. Without `q`, the largest audience comes first. A record must match every parameter, and any of a parameter's values. Emails are masked unless you send a key with an active plan.",
  security: keyOrNone,
  requestParams: { query: searchSchema },
  responses: {
    200: jsonAnswer('One page of matching records.', answers.searchAnswer, examples.search, {
      ...paging,
      ...caching,
    }),
    304: { description: 'Not modified since the ETag in If-None-Match.' },
    ...problemAnswers([...ofSearch, 'page_too_deep']),
  },
};

const facets: ZodOpenApiOperationObject = {
  operationId: 'countFacets',
  tags: ['Media'],
  summary: 'Count media by kind, country and more',
  description:
    'Without parameters, counts the whole database. Each list applies all filters except its own, so you can show the alternatives.',
  security: keyOrNone,
  requestParams: { query: querySchema },
  responses: {
    200: jsonAnswer('Every value with at least one record.', answers.facetsAnswer, examples.facets, caching),
    304: { description: 'Not modified since the ETag in If-None-Match.' },
    ...problemAnswers(ofSearch),
  },
};

const record: ZodOpenApiOperationObject = {
  operationId: 'findRecord',
  tags: ['Media'],
  summary: 'Get a record',
  security: keyOrNone,
  requestParams: { path: recordId },
  responses: {
    200: jsonAnswer('The record, masked like in searches.', answers.recordAnswer, examples.record),
    ...problemAnswers([...ofSearch, 'not_found']),
  },
};

const exportFile: ZodOpenApiOperationObject = {
  operationId: 'export',
  tags: ['Media'],
  summary: 'Export all matching records as a file',
  description:
    'Without `kind`, exports outlets. Pro exports outlets as csv, Premium everything. The file is a snapshot, gzipped if you accept it. If the connection breaks, the file is incomplete. X-Total-Count gives the number of rows at the start; records suppressed meanwhile are left out. A key can run two exports at once.',
  security: withKey,
  requestParams: { query: exportSchema },
  responses: {
    200: {
      description: 'CSV (RFC 4180) with a header line.',
      headers: jsonAnswer('', z.any(), null, file).headers,
      content: { 'text/csv': { schema: z.string(), example: 'id,kind,name,…\r\n' } },
    },
    ...problemAnswers([...ofSearch, 'key_missing', 'plan_required', 'plan_expired']),
  },
} as ZodOpenApiOperationObject;

const push: ZodOpenApiOperationObject = {
  operationId: 'pushLeads',
  tags: ['Media'],
  summary: 'Push leads to a campaign of an outbound tool',
  description:
    "Premium only. Adds the leads that an export with the same filters would contain. The push continues if the caller disconnects. The tool's api_key is used for this push and never stored.",
  security: withKey,
  requestParams: { header: idempotencyKey },
  requestBody: {
    required: true,
    content: { 'application/json': { schema: pushBody, example: examples.pushBody } },
  },
  responses: {
    200: jsonAnswer('What happened to the leads.', answers.pushAnswer, examples.push),
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
  summary: 'Get the plan of your key',
  security: withKey,
  responses: {
    200: jsonAnswer('The plan of your key.', answers.accountAnswer, examples.account),
    ...problemAnswers([...always, 'key_missing', 'key_invalid']),
  },
};

const plans: ZodOpenApiOperationObject = {
  operationId: 'listPlans',
  tags: ['Plans'],
  summary: 'List plans',
  security: keyOrNone,
  responses: {
    200: jsonAnswer('All plans with their prices.', answers.plansAnswer, examples.plans),
    ...problemAnswers([...always, 'key_invalid']),
  },
};

const checkout: ZodOpenApiOperationObject = {
  operationId: 'startCheckout',
  tags: ['Plans'],
  summary: 'Start a checkout',
  description:
    'Send the buyer to checkout_url, then poll the order until it is paid. The first read after the payment returns the key.',
  security: [],
  requestParams: { header: idempotencyKey },
  requestBody: {
    required: true,
    content: { 'application/json': { schema: checkoutBody, example: examples.checkoutBody } },
  },
  responses: {
    200: jsonAnswer('The order and its payment page.', answers.checkoutAnswer, examples.checkout),
    ...problemAnswers([...always, ...ofBodies, 'idempotency_conflict', 'payment_failed']),
  },
};

const order: ZodOpenApiOperationObject = {
  operationId: 'readOrder',
  tags: ['Plans'],
  summary: 'Get an order (returns the key once)',
  description:
    'Only the first read after the payment includes api_key. HEAD requests and prefetches never claim it. For a pending order, the service asks the payment provider.',
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
  summary: 'Receive payment events from Stripe',
  description: 'Events must be signed by Stripe. Each event id is applied once, in any order.',
  security: [],
  requestParams: {
    header: z.object({
      'Stripe-Signature': z.string().optional().describe("Stripe's signature. Without a valid one the answer is 400."),
    }),
  },
  requestBody: { required: true, content: { 'application/json': { schema: z.looseObject({}) } } },
  responses: {
    200: jsonAnswer('The event is stored.', answers.eventAnswer, { outcome: 'handled' }),
    ...problemAnswers(['invalid_request', ...ofBodies, 'internal', 'store_unavailable']),
  },
};

const plain = z.object(everyAnswer);

const health: ZodOpenApiOperationObject = {
  operationId: 'health',
  tags: ['Operations'],
  summary: 'Check that the process is up',
  security: [],
  responses: {
    200: {
      description: 'The process is up.',
      headers: plain,
      content: { 'application/json': { schema: answers.healthAnswer, example: { status: 'ok' } } },
    },
  },
};

const readiness: ZodOpenApiOperationObject = {
  operationId: 'readiness',
  tags: ['Operations'],
  summary: 'Check that the service is ready',
  security: [],
  responses: {
    200: {
      description: 'The service can answer searches.',
      headers: plain,
      content: { 'application/json': { schema: answers.readyAnswer, example: { status: 'ready' } } },
    },
    503: {
      description: 'The service is not ready; `missing` says why.',
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
