import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { Webhook } from '#accounts/payment-provider.ts';
import { receivePayment } from '#accounts/receive-payment.ts';
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

const sentEvent = z.looseObject({ id: z.string(), type: z.string() }).meta({
  id: 'PaymentEvent',
  description: "An event as the payment provider writes it. Further keys are the provider's own.",
});

const exampleEvent = { id: 'evt_1PgafmB7WZ01zgkW6dKueIc5', type: 'checkout.session.completed' };

const answerToEvent = jsonAnswer('The event is stored.', eventAnswer, { outcome: 'handled' });

export function describePaymentEvent({ problems }: Api, webhook: Webhook): ZodOpenApiOperationObject {
  const { title } = webhook;
  return {
    operationId: `receive${title}Event`,
    tags: ['Operations'],
    summary: `Receive payment events from ${title}`,
    description: `Events must be signed by ${title}. Each event id is applied once, in any order. Handled types: ${listTypes(webhook)}. Others are answered with 200 and not stored.`,
    security: [],
    requestParams: { header: signatureOf(webhook, 'Without a valid one the answer is 400.') },
    requestBody: {
      required: true,
      content: { 'application/json': { schema: z.looseObject({}), example: exampleEvent } },
    },
    responses: {
      200: answerToEvent,
      ...problems(['invalid_request', ...ofBodies, 'internal', 'store_unavailable']),
    },
  };
}

/** The same call from the provider's side: what an operator has to switch on there. */
export function describeSentEvent(_: Api, webhook: Webhook): ZodOpenApiOperationObject {
  const { name, title } = webhook;
  return {
    operationId: `send${title}Event`,
    tags: ['Operations'],
    summary: `Payment events that ${title} sends`,
    description: `In ${title}, send events of these types to /api/v1/webhooks/${name}: ${listTypes(webhook)}. ${title} repeats an event until the answer is 200.`,
    security: [],
    requestParams: { header: signatureOf(webhook, 'Made with the secret of the endpoint.') },
    requestBody: { required: true, content: { 'application/json': { schema: sentEvent, example: exampleEvent } } },
    responses: { 200: answerToEvent },
  };
}

function signatureOf({ title, signatureHeader }: Webhook, note: string): z.ZodObject {
  return z.object({ [signatureHeader]: z.string().optional().describe(`${title}'s signature. ${note}`) });
}

function listTypes({ eventTypes }: Webhook): string {
  return eventTypes.map((type) => `\`${type}\``).join(', ');
}
