import { expect } from 'vitest';
import type { TestService } from './test-service.ts';

/** What a checkout answers. */
export interface StartedCheckout {
  checkout_url: string;
  order_id: string;
  claim_token: string;
}

/** What a buyer does at a service, which may be another one for each test. */
export function shopAt(find: () => TestService) {
  const post = (body: string | object | undefined, headers: Record<string, string> = {}) =>
    find().post('/api/v1/checkout').set(headers).send(body);
  const pathOf = ({ order_id, claim_token }: StartedCheckout) =>
    `/api/v1/orders/${order_id}?claim_token=${claim_token}`;
  return {
    post,
    pathOf,
    async start(body: object = { tier: 'pro' }, headers: Record<string, string> = {}): Promise<StartedCheckout> {
      const answer = await post(body, headers);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    /** Presses a button of the sandbox's page. */
    async act({ order_id }: Pick<StartedCheckout, 'order_id'>, action: string): Promise<void> {
      expect((await find().post(`/sandbox/${order_id}/${action}`)).status).toBe(303);
    },
    read: (checkout: StartedCheckout) => find().get(pathOf(checkout)),
  };
}
