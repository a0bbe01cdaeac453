import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { Webhook } from '#ports/payment-provider.ts';
import { receivePayment } from '#usecases/receive-payment.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, jsonAnswer, ofBodies } from '../openapi/api.ts';
import { stateOf } from '../request-state.ts';

/**
 * POST /webhooks/{provider}: stores a payment event by its id and applies it once (contract A10). Responds with 200
 * only after that, because providers repeat every event that gets another status.
 */
export function handlePaymentEvent({ orders, log, now }: AppDeps, webhook: Webhook): RequestHandler {
  return async (req, res) => {
    const event = webhook.read(bytesOf(req.body), req.get(webhook.signatureHeader) ?? '', now());
    const deps = { orders, log: log.child({ request_id: stateOf(res).requestId }) };
    const outcome = event === null ? 'ignored' : await receivePayment(deps, event, now());
    res.json({ outcome });
  };
}

/** A request without a body has nothing that could be signed. */
function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

const eventAnswer = z.strictObject({ outcome: z.enum(['handled', 'repeated', 'held', 'ignored']) });

export function describePaymentEvent(
  { problems }: Api,
  { title, signatureHeader }: Webhook,
): ZodOpenApiOperationObject {
  return {
    operationId: `receive${title}Event`,
    tags: ['Operations'],
    summary: `Receive payment events from ${title}`,
    description: `Events must be signed by ${title}. Each event id is applied once, in any order.`,
    security: [],
    requestParams: {
      header: z.object({
        [signatureHeader]: z
          .string()
          .optional()
          .describe(`${title}'s signature. Without a valid one the answer is 400.`),
      }),
    },
    requestBody: { required: true, content: { 'application/json': { schema: z.looseObject({}) } } },
    responses: {
      200: jsonAnswer('The event is stored.', eventAnswer, { outcome: 'handled' }),
      ...problems(['invalid_request', ...ofBodies, 'internal', 'store_unavailable']),
    },
  };
}
