import { z } from 'zod';
import { receivePayment, type Webhook } from '#accounts/payments.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { stateOf } from '../endpoint.ts';

const sentEvent = z
  .looseObject({ id: z.string(), type: z.string() })
  .describe("An event as the payment provider writes it. Further keys are the provider's own.");

/**
 * POST /webhooks/{provider}: stores a payment event by its id and applies it once (contract A10). Responds with 200
 * only after that, because providers repeat every event that gets another status.
 */
export function paymentEvent({ orders, log, now }: AppDeps, webhook: Webhook): Endpoint {
  const { name, title, signatureHeader, eventTypes } = webhook;
  return {
    operationId: `receive${title}Event`,
    tag: 'Operations',
    summary: `Receive payment events from ${title}`,
    description: `In ${title}, send events of these types to /api/v1/webhooks/${name}: ${eventTypes.map((type) => `\`${type}\``).join(', ')}. Others are answered with 200 and not stored. Each event id is applied once, in any order. ${title} repeats an event until the answer is 200.`,
    access: 'open',
    query: 'ignored',
    headers: z.object({
      [signatureHeader]: z
        .string()
        .optional()
        .describe(`${title}'s signature, made with the secret of the endpoint. Without a valid one the answer is 400.`),
    }),
    body: {
      schema: sentEvent,
      example: { id: 'evt_1PgafmB7WZ01zgkW6dKueIc5', type: 'checkout.session.completed' },
      maxKilobytes: 1024,
      isRaw: true,
    },
    answer: {
      description: 'The event is stored.',
      schema: z.strictObject({ outcome: z.enum(['handled', 'repeated', 'held', 'ignored']) }),
      example: { outcome: 'handled' },
    },
    errors: [],
    async handle(req, res) {
      // A request without a body has nothing that could be signed.
      const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const event = webhook.read(bytes, req.get(signatureHeader) ?? '', now());
      const deps = { orders, log: log.child({ request_id: stateOf(res).requestId }) };
      const outcome = event === null ? 'ignored' : await receivePayment(deps, event, now());
      res.json({ outcome });
    },
  };
}
