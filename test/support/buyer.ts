import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** An order as its buyer knows it. */
export interface Purchase {
  orderId: string;
  claimToken: string;
}

interface OrderAnswer {
  status: string;
  renews: string | null;
  api_key?: string;
}

/** The current URL of the API. It changes when the API is started again. */
type FindApi = () => string;

/** How long a buyer keeps trying, in milliseconds: MongoDB takes up to a minute to free what a killed process has locked. */
const timeoutMs = 90_000;

/**
 * Places an order and pays for it. Retries while the API is down. With a key, the order renews it.
 *
 * @param actions what happens at the payment provider, in order
 */
export async function buy(findApi: FindApi, renewed: string | null = null, actions = ['pay']): Promise<Purchase> {
  const answer = await persist(findApi, '/api/v1/checkout', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), ...bearer(renewed) },
    body: JSON.stringify({ tier: 'pro', ...(renewed === null && { email: 'ada@shop.example' }) }),
  });
  const { order_id: orderId, claim_token: claimToken } = (await answer.json()) as Record<string, string>;
  if (orderId === undefined || claimToken === undefined) throw new Error(`no order: ${answer.status}`);
  for (const action of actions) {
    await persist(findApi, `/sandbox/${orderId}/${action}`, { method: 'POST', redirect: 'manual' });
  }
  return { orderId, claimToken };
}

/** Reads the order once it can be read. */
export async function readOrder(findApi: FindApi, { orderId, claimToken }: Purchase): Promise<OrderAnswer> {
  const answer = await persist(findApi, `/api/v1/orders/${orderId}?claim_token=${claimToken}`, {});
  return (await answer.json()) as OrderAnswer;
}

/** What the API says about a key: its order, and when its plan ends; null if it does not work. */
export async function readAccount(findApi: FindApi, key: string) {
  const answer = await persist(findApi, '/api/v1/me', { headers: bearer(key) });
  return answer.ok ? ((await answer.json()) as { order_id: string; expires_at: string }) : null;
}

export const bearer = (key: string | null) => ({ ...(key !== null && { Authorization: `Bearer ${key}` }) });

async function persist(findApi: FindApi, path: string, request: RequestInit): Promise<Response> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const answer = await fetch(`${findApi()}${path}`, request);
      // The body must be complete too, otherwise the request is repeated.
      const body = await answer.arrayBuffer();
      if (answer.status >= 500) throw new Error(`the API answered ${answer.status}`);
      const { status, headers } = answer;
      return new Response(body.byteLength > 0 ? body : null, { status, headers });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(20);
    }
  }
}
