import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '#accounts/api-key.ts';
import { claimKey } from '#accounts/change-order.ts';
import { opens } from '#accounts/stored-key.ts';
import { type EmbeddedStore, openEmbedded } from '#backends/embedded/open-embedded.ts';
import { newPushId, noCounts } from '#outbound/push.ts';
import { madeCheckoutEvent, madeKey, madeOrder } from '#testing/made-order.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolder } from '#testing/use.ts';

describe('npm run admin -- orders', () => {
  const pepper = 'a pepper of 32 characters or more';
  const dataDir = useFolder();
  let backends: EmbeddedStore;
  const admin = (...args: string[]) =>
    runHere(['admin/main.ts', ...args], { MASTHEAD_DATA_DIR: dataDir, KEY_PEPPER: pepper });

  beforeAll(async () => {
    backends = openEmbedded(dataDir);
    // As the service that took these orders has.
    await backends.pepper.findOther(pepper, new Date());
  });
  afterAll(async () => {
    await backends.close();
  });

  async function paidOrder() {
    const order = madeOrder();
    await backends.orders.save(order);
    await backends.orders.receive(madeCheckoutEvent(order), new Date());
    return order;
  }

  it('shows an order with its key, without secrets or the full address', async () => {
    const { id } = await paidOrder();
    const key = madeKey();
    await backends.orders.change(id, (order) => claimKey(order, key, new Date()));
    const { code, stdout } = await admin('orders', 'show', id);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      id,
      status: 'paid',
      email: 'b***@shop.example',
      paymentReference: `pi_${id}`,
      key: { prefix: key.prefix, order_id: id },
    });
    expect(stdout).not.toContain(key.hash);
  });

  it('lists orders by buyer, status and day, newest first, with masked addresses', async () => {
    const asked = { email: 'Ada@Buyers.example', createdAt: '2027-05-06T07:08:09.000Z' };
    const [first, second] = [madeOrder(asked), madeOrder({ ...asked, createdAt: '2027-05-07T00:00:00.000Z' })];
    for (const order of [first, second]) await backends.orders.save(order);
    const list = async (...args: string[]) => {
      const { stdout } = await admin('orders', 'list', ...args, '--json');
      return JSON.parse(stdout).map(({ id }: { id: string }) => id);
    };
    expect(await list('--email', 'ada@buyers.example')).toEqual([second.id, first.id]);
    expect(await list('--day', '2027-05-06', '--status', 'pending')).toEqual([first.id]);
    expect(await list('--limit', '1')).toEqual([second.id]);
    const { stdout } = await admin('orders', 'list', '--email', 'ada@buyers.example');
    expect(stdout).toMatch(/^id +status +tier +email +created_at +paid_at +key_claimed_at\n/);
    expect(stdout).toMatch(/ +pending +pro +a\*{3}@buyers\.example +2027-05-07T/i);
    expect(stdout).not.toMatch(/ada@/i);
    expect((await admin('orders', 'list', '--status', 'refunded')).stdout).toBe('No order matches.\n');
    expect(await admin('orders', 'list', '--day', '6 May')).toMatchObject({ code: 2 });
  });

  it('lists pushes with who, where to, the counts and the failure', async () => {
    expect((await admin('pushes', 'list')).stdout).toBe('Nothing was pushed so far.\n');
    const startedAt = '2027-05-06T07:08:09.000Z';
    const id = newPushId();
    await backends.pushes.change(id, () => ({
      ...{ id, keyHash: 'a secret hash', keyPrefix: 'mh_12345678', tool: 'smartlead', campaignId: '4711' },
      ...{ status: 'failed', counts: { ...noCounts, matched: 5, sent: 3 }, details: {} },
      ...{ failure: { code: 'tool_failed', detail: 'It failed.' }, startedAt, updatedAt: startedAt },
    }));
    const { stdout } = await admin('pushes', 'list');
    expect(stdout).toMatch(/mh_12345678 +smartlead +4711 +failed .*tool_failed: It failed\.\n$/);
    const [row] = JSON.parse((await admin('pushes', 'list', '--json')).stdout);
    expect(row).toMatchObject({ started_at: startedAt, matched: 5, sent: 3, added: 0 });
    expect(JSON.stringify(row)).not.toContain('a secret hash');
  });

  it('replaces the key of a paid order, prints the new one once, and ends the old one', async () => {
    const { id } = await paidOrder();
    const old = madeKey();
    await backends.orders.change(id, (order) => claimKey(order, old, new Date()));
    const { code, stdout, stderr } = await admin('orders', 'reissue', id);
    expect(code).toBe(0);
    expect(stderr).toContain('shown only once');
    const stored = await backends.keys.findByHash(hashApiKey(stdout.trim(), pepper));
    expect(stored).toMatchObject({ orderId: id, revokedAt: null, plan: { tier: 'pro' } });
    expect(stored && opens(stored, old.hash, new Date())).toBe(false);
  });

  it('refuses an order that is unpaid or does not exist, and says why', async () => {
    const pending = madeOrder();
    await backends.orders.save(pending);
    expect(await admin('orders', 'reissue', pending.id)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`the order ${pending.id} is pending`),
    });
    for (const command of ['show', 'reissue']) {
      expect(await admin('orders', command, 'ord_none')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('there is no order ord_none'),
      });
    }
  });

  it('audits every change an operator makes, and no reads', async () => {
    const before = (await backends.audit.list(100)).length;
    const { id } = await paidOrder();
    await admin('orders', 'reissue', id);
    const issued = await admin('keys', 'issue', '--tier', 'pro', '--days', '3');
    const prefix = issued.stdout.slice(0, 11);
    await admin('keys', 'revoke', prefix);
    await admin('keys', 'list');
    await admin('orders', 'show', id);
    const entries = JSON.parse((await admin('audit', '--json')).stdout);
    expect(entries.slice(0, entries.length - before)).toMatchObject([
      { operator: userInfo().username, action: 'keys revoke', subject: prefix },
      { action: 'keys issue', subject: prefix },
      { action: 'orders reissue', subject: id },
    ]);
  });
});
