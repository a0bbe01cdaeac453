import { type Command, InvalidArgumentError, Option } from 'commander';
import { generateApiKey, identifyKey } from '#accounts/api-key.ts';
import { replaceKey } from '#accounts/change-order.ts';
import { type Order, type OrderFilter, orderStatuses } from '#accounts/order.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { maskEmail } from '#records/masking.ts';
import { type JsonFlag, printResult, readNumber } from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { withStores } from '../open-stores.ts';
import { describeKey, printKey } from './keys.ts';

export function addTo(program: Command): void {
  const orders = program.command('orders').description('list orders, show one, or replace its key');
  orders
    .command('list')
    .description('list the latest orders, newest first; addresses are masked')
    .option('--email <address>', 'only those of this buyer')
    .addOption(new Option('--status <status>', 'only those with this status').choices(orderStatuses))
    .option('--day <day>', 'only those made on this day in UTC, such as 2026-03-01', readDay)
    .option('--limit <count>', 'how many', readNumber(1), 20)
    .action(list);
  orders
    .command('show')
    .description('show everything about an order as JSON')
    .argument('<id>', 'the id of the order, such as ord_…')
    .action(show);
  orders
    .command('reissue')
    .description('replace the key of a paid order and print the new one once')
    .argument('<id>', 'the id of the order, such as ord_…')
    .action(reissue);
}

function readDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('It must be a day, such as 2026-03-01.');
}

async function list({ limit, json, ...filter }: OrderFilter & JsonFlag & { limit: number }): Promise<void> {
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
    printRows(rows, 'No order matches.', json);
  });
}

async function show(id: string, { json }: JsonFlag): Promise<void> {
  await withStores(async (stores) => {
    const order = await stores.orders.find(id);
    if (order === null) throw unknownOrder(id);
    const find = async (hash: string | null) => (hash === null ? null : stores.keys.findByHash(hash));
    const [key, renewed] = [await find(order.keyHash), await find(order.renewsHash)];
    printResult(describeOrder(order, key, renewed), (described) => JSON.stringify(described, null, 2), json);
  });
}

/** Gives the order's key a new secret. The old one stops working, and a suspension ends. A renewed key keeps all its days. */
async function reissue(id: string, { json }: JsonFlag): Promise<void> {
  await withStores(async ({ orders, keys, audit, operator }, pepper) => {
    const key = generateApiKey();
    const secret = identifyKey(key, await pepper());
    const now = new Date();
    if ((await orders.find(id)) === null) throw unknownOrder(id);
    await audit.append({ at: now.toISOString(), operator, action: 'orders reissue', subject: id, outcome: null });
    const change = await orders.change(id, (order) => replaceKey(order, secret, now));
    const stored = change?.isChanged ? await keys.findByHash(secret.hash) : null;
    if (stored === null) {
      const status = change?.order.status ?? 'gone';
      throw new Error(`the order ${id} is ${status}. Only paid orders have a key. Nothing was changed.`);
    }
    const { tier, expiresAt } = stored.plan;
    const about = `Created a new ${tier} key for ${id}, valid until ${expiresAt}. Any key before it works no more.`;
    printKey({ key, order_id: id, tier, expires_at: expiresAt }, about, json);
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
