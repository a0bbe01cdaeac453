import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLeadTools } from '../../../src/lead-tools/open-tool.ts';
import { createSandbox } from '../../../src/payments/sandbox.ts';
import { type RunningService, runService } from '../../../test/http/run-service.ts';
import { publicUrl } from '../../../test/http/test-service.ts';
import { openEmbeddedForTest, type TestBackend } from '../../../test/support/backends.ts';
import { madeRecord } from '../../../test/support/made-record.ts';
import { startInstantly } from '../../../test/support/stand-ins/instantly-server.ts';
import type { ToolStandIn } from '../../../test/support/stand-ins/stand-in-server.ts';
import { createMasthead } from '../src/index.ts';
import { failureOf } from './outcomes.ts';

const apiKey = 'key-of-the-tool';
const campaign = '7f1c2d3e-0000-4000-8000-123456789abc';
const outlets = Array.from({ length: 3 }, (_, index) =>
  madeRecord({ id: `outlet-${index}`, email: `desk@outlet-${index}.example`, email_status: 'valid' }),
);

describe('what the TypeScript client changes', () => {
  let backend: TestBackend;
  let service: RunningService;
  let instantly: ToolStandIn;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load(outlets);
    instantly = await startInstantly({ apiKey, campaigns: [campaign] });
    const leadToolBases = { instantly: instantly.url, smartlead: instantly.url };
    service = await runService(backend, {
      payments: createSandbox(publicUrl),
      leadTools: openLeadTools({ leadToolBases }),
    });
  });
  afterAll(async () => {
    await service.close();
    await instantly.close();
    await backend.close();
  });

  it('buys a plan once, however often the purchase is sent, and reads the key', async () => {
    const buyer = createMasthead({ baseUrl: service.url });
    const options = { idempotencyKey: randomUUID() };
    const checkout = await buyer.startCheckout({ tier: 'premium' }, options);
    expect(await buyer.startCheckout({ tier: 'premium' }, options)).toEqual(checkout);
    expect((await buyer.startCheckout({ tier: 'premium' })).order_id).not.toBe(checkout.order_id);
    expect(await failureOf(buyer.startCheckout({ tier: 'pro' }, options))).toMatchObject({
      code: 'idempotency_conflict',
      status: 409,
    });

    await fetch(`${service.url}/sandbox/${checkout.order_id}/pay`, { method: 'POST', redirect: 'manual' });
    const order = await buyer.readOrder(checkout.order_id, checkout.claim_token);
    expect(order).toMatchObject({ status: 'paid', tier: 'premium' });
    const holder = createMasthead({ baseUrl: service.url, apiKey: order.api_key ?? '' });
    expect(await holder.readAccount()).toMatchObject({ plan: 'premium', status: 'active' });
    expect(await failureOf(buyer.readOrder(checkout.order_id, 'guessed'))).toMatchObject({ code: 'order_not_found' });
  });

  it('pushes leads once, however often the push is sent', async () => {
    const masthead = createMasthead({ baseUrl: service.url, apiKey: await service.issueKey('premium') });
    const push = { tool: 'instantly', api_key: apiKey, campaign_id: campaign, filters: { kind: 'outlet' } } as const;
    const options = { idempotencyKey: randomUUID() };
    const result = await masthead.pushLeads(push, options);
    expect(result).toMatchObject({ matched: 3, sent: 3, added: 3 });
    expect(await masthead.pushLeads(push, options)).toEqual(result);
    expect([...(instantly.campaigns.get(campaign)?.keys() ?? [])].toSorted()).toEqual(
      outlets.map(({ email }) => email),
    );
    const error = await failureOf(masthead.pushLeads({ ...push, api_key: 'wrong' }));
    expect(error).toMatchObject({ code: 'tool_key_rejected', status: 422 });
  });
});
