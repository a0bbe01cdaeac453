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
  renews: string | null;
  api_key?: string;
}

/** Where the API is now; it may be away, and be elsewhere when it is back. */
export type FindApi = () => string;

/** How long a buyer keeps trying, in milliseconds: MongoDB frees what a killed process has locked within a minute. */
const timeoutMs = 90_000;

/** Places an order and pays for it, retrying while the API is down. */
export async function buy(findApi: FindApi): Promise<Purchase> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const purchase = await checkOut(findApi, headers, { tier: 'pro', email: 'ada@shop.example' });
  await act(findApi, purchase, 'pay');
  return purchase;
}

/**
 * Renews a key and pays for it, retrying while the API is down; with `isRefunded` the payment is then refunded, or the
 * refund comes first.
 */
export async function renew(
  findApi: FindApi,
  key: string,
  isRefunded: boolean,
  refundsFirst: boolean,
): Promise<Purchase> {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
    Authorization: `Bearer ${key}`,
  };
  const purchase = await checkOut(findApi, headers, { tier: 'pro' });
  const actions = isRefunded ? (refundsFirst ? ['refund', 'pay'] : ['pay', 'refund']) : ['pay'];
  for (const action of actions) await act(findApi, purchase, action);
  return purchase;
}

/** When the plan of the key ends; null if the key does not work. */
export async function endOfKey(findApi: FindApi, key: string): Promise<string | null> {
  const answer = await persist(findApi, '/api/v1/me', { headers: { Authorization: `Bearer ${key}` } });
  return answer.ok ? ((await answer.json()) as { expires_at: string }).expires_at : null;
}

async function checkOut(findApi: FindApi, headers: Record<string, string>, body: object): Promise<Purchase> {
  const checkout = await persist(findApi, '/api/v1/checkout', { method: 'POST', headers, body: JSON.stringify(body) });
  const { order_id: orderId, claim_token: claimToken } = (await checkout.json()) as Record<string, string>;
  if (orderId === undefined || claimToken === undefined) throw new Error(`no order: ${checkout.status}`);
  return { orderId, claimToken };
}

async function act(findApi: FindApi, { orderId }: Purchase, action: string): Promise<void> {
  await persist(findApi, `/sandbox/${orderId}/${action}`, { method: 'POST', redirect: 'manual' });
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
