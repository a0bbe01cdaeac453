import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** An order as its buyer knows it. */
export interface Purchase {
  orderId: string;
  claimToken: string;
}

export interface OrderAnswer {
  status: string;
  key_claimed_at: string | null;
  api_key?: string;
}

/** Where the API is now; it may be away, and be elsewhere when it is back. */
export type FindApi = () => string;

/** How long a buyer keeps trying, in milliseconds. */
const timeoutMs = 30_000;

/** Places an order and pays for it, retrying while the API is down. */
export async function buy(findApi: FindApi): Promise<Purchase> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const order = { method: 'POST', headers, body: JSON.stringify({ tier: 'pro', email: 'ada@shop.example' }) };
  const checkout = await persist(findApi, '/api/v1/checkout', order);
  const { order_id: orderId, claim_token: claimToken } = (await checkout.json()) as Record<string, string>;
  if (orderId === undefined || claimToken === undefined) throw new Error(`no order: ${checkout.status}`);
  await persist(findApi, `/sandbox/${orderId}/pay`, { method: 'POST', redirect: 'manual' });
  return { orderId, claimToken };
}

/** Reads the order once it can be read. */
export async function readOrder(findApi: FindApi, { orderId, claimToken }: Purchase): Promise<OrderAnswer> {
  const answer = await persist(findApi, `/api/v1/orders/${orderId}?claim_token=${claimToken}`, {});
  return (await answer.json()) as OrderAnswer;
}

/** Whether the key works, and for which order. */
export async function orderOfKey(findApi: FindApi, key: string): Promise<string | null> {
  const answer = await persist(findApi, '/api/v1/me', { headers: { Authorization: `Bearer ${key}` } });
  return answer.ok ? ((await answer.json()) as { order_id: string }).order_id : null;
}

async function persist(findApi: FindApi, path: string, request: RequestInit): Promise<Response> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const answer = await fetch(`${findApi()}${path}`, request);
      // The body must be complete, too.
      const body = await answer.arrayBuffer();
      if (answer.status >= 500) throw new Error(`the API answered ${answer.status}`);
      const { status, headers } = answer;
      return new Response(body.byteLength > 0 ? body : null, { status, headers });
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await wait(20);
    }
  }
}
