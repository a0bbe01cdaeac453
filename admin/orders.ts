import { reissueKey } from '#accounts/keys.ts';
import type { Order, OrderFilter } from '#accounts/order.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { maskEmail } from '#records/masking.ts';
import { type JsonFlag, print, printError, printJson, printResult } from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { describeKey } from './keys.ts';
import { withStores } from './store.ts';

export async function list({ limit, json, ...filter }: OrderFilter & JsonFlag & { limit: number }): Promise<void> {
  await withStores(async ({ orders }) => {
    const rows = (await orders.list(filter, limit)).map((order) => ({
      id: order.id,
      status: order.status,
      tier: order.tier,
      email: order.email && maskEmail(order.email),
      created_at: order.createdAt,
      paid_at: order.paidAt,
      key_claimed_at: order.keyClaimedAt,
    }));
    printRows(rows, 'No order fits.', json);
  });
}

export async function show(id: string, { json }: JsonFlag): Promise<void> {
  await withStores(async (stores) => {
    const order = await stores.orders.find(id);
    if (order === null) throw unknownOrder(id);
    const find = async (hash: string | null) => (hash === null ? null : stores.keys.findByHash(hash));
    const [key, renewed] = [await find(order.keyHash), await find(order.renewsHash)];
    printResult(describeOrder(order, key, renewed), (described) => JSON.stringify(described, null, 2), json);
  });
}

/** `orders reissue`: prints only the key on standard output, and what to do with it on standard error. */
export async function reissue(id: string, { json }: JsonFlag): Promise<void> {
  await withStores(async (stores, pepper) => {
    const result = await reissueKey(stores, await pepper(), id, new Date());
    if (result.outcome === 'unknown') throw unknownOrder(id);
    if (result.outcome === 'not_paid')
      throw new Error(`the order ${id} is ${result.order.status}. Only paid orders have a key. Nothing was changed.`);
    const { tier, expiresAt } = result.stored.plan;
    if (json) return printJson({ key: result.key, order_id: id, tier, expires_at: expiresAt });
    print(result.key);
    printError(
      `Created a new ${tier} key for ${id}, valid until ${expiresAt}. Any key before it works no more. Save it now: it is shown only once.`,
    );
  });
}

function describeOrder(
  { email, keyHash: _, renewsHash: _renews, ...order }: Order,
  key: StoredKey | null,
  renewed: StoredKey | null,
) {
  const now = new Date();
  return {
    ...order,
    email: email === null ? null : maskEmail(email),
    key: key === null ? null : describeKey(key, now),
    renews: renewed === null ? null : describeKey(renewed, now),
  };
}

function unknownOrder(id: string): Error {
  return new Error(
    `there is no order ${id}. Order ids start with ord_; the address of the buyer's claim page contains it.`,
  );
}

/** `pushes list`: who pushed what, where to, and the result. */
export async function listPushes({ limit, json }: JsonFlag & { limit: number }): Promise<void> {
  await withStores(async ({ pushes }) => {
    const rows = (await pushes.list(limit)).map(
      ({ id, keyPrefix, tool, campaignId, status, counts, failure, startedAt }) => ({
        id,
        started_at: startedAt,
        key_prefix: keyPrefix,
        tool,
        campaign_id: campaignId,
        status,
        ...counts,
        failure: failure && `${failure.code}: ${failure.detail}`,
      }),
    );
    printRows(rows, 'Nothing was pushed so far.', json);
  });
}
