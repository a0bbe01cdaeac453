import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BatchAnswer, type LeadTool, type OutboundLead, toLead } from '#outbound/outbound-lead.ts';
import { instantly } from '#src/lead-tools/instantly.ts';
import { openTool } from '#src/lead-tools/open-tool.ts';
import { smartlead } from '#src/lead-tools/smartlead.ts';
import type { ToolDefinition } from '#src/lead-tools/tool-definition.ts';
import type { Problem } from '#src/problem.ts';
import { madeRecord } from '#testing/made-record.ts';
import { startInstantly } from '#testing/stand-ins/instantly-server.ts';
import { type SmartleadShape, startSmartlead } from '#testing/stand-ins/smartlead-server.ts';
import {
  edgePage,
  type StandInServer,
  startStandIn,
  type ToolOptions,
  type ToolReply,
} from '#testing/stand-ins/stand-in-server.ts';
import { until } from '#testing/until.ts';

const apiKey = 'tool-key-4711';
const campaigns = { instantly: '7f1c2d3e-0000-4000-8000-123456789abc', smartlead: '4711' };
const clientOptions = { timeoutMs: 5_000, retries: 4, firstPauseMs: 10 };

function openAt(
  tool: ToolDefinition,
  base: string,
  options: Partial<typeof clientOptions> & { pause?: (ms: number) => Promise<void> } = {},
): LeadTool {
  if (tool.push === null) throw new Error(`${tool.title} takes no pushes`);
  return openTool(tool, tool.push, { ...clientOptions, ...options, base });
}

function madeLeads(count: number, from = 0): OutboundLead[] {
  return Array.from({ length: count }, (_, index) => {
    const lead = toLead(
      madeRecord({
        id: `r${from + index}`,
        name: `Out"let, ${from + index}`,
        email: `desk${from + index}@outlet.example`,
        contact_name: 'Ulla von der Leyen',
        contact_title: 'Editor',
        url: 'https://outlet.example/',
        phone: '+44 20 7946 0000',
        categories: ['music'],
        audience: 1_000,
      }),
    );
    if (lead === null) throw new Error('a lead without an address');
    return lead;
  });
}

const open: StandInServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

type Options = Partial<ToolOptions & { shape: SmartleadShape }> & { timeoutMs?: number };

const tools = {
  async instantly(options: Options = {}) {
    const server = await startInstantly({ apiKey, campaigns: [campaigns.instantly], lateMs: 1_000, ...options });
    open.push(server);
    return { server, tool: openAt(instantly, server.url, options), campaignId: campaigns.instantly };
  },
  async smartlead(options: Options = {}) {
    const server = await startSmartlead({ apiKey, campaigns: [campaigns.smartlead], lateMs: 1_000, ...options });
    open.push(server);
    return { server, tool: openAt(smartlead, server.url, options), campaignId: campaigns.smartlead };
  },
};

function sumOf({ counts }: BatchAnswer): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

describe.each(['instantly', 'smartlead'] as const)('leads for %s', (name) => {
  const start = tools[name];

  it("arrive with the tool's own fields, and custom ones", async () => {
    const { server, tool, campaignId } = await start();
    const answer = await tool.add(madeLeads(3), { apiKey, campaignId });
    expect(answer.counts).toEqual({ added: 3, duplicates: 0, invalid: 0, blocked: 0, skipped: 0, failed: 0 });
    expect(answer.refusal).toBeUndefined();
    const lead = server.campaigns.get(campaignId)?.get('desk1@outlet.example');
    expect(lead).toMatchObject({ first_name: 'Ulla', last_name: 'von der Leyen', company_name: 'Out"let, 1' });
    expect(lead).toMatchObject({
      [name === 'instantly' ? 'custom_variables' : 'custom_fields']: {
        record_id: 'r1',
        topics: 'music',
        audience: 1_000,
      },
    });
    expect(lead).toHaveProperty(name === 'instantly' ? 'phone' : 'phone_number', '+44 20 7946 0000');
  });

  it('that are in the campaign count as duplicates, undeliverable ones as invalid or blocked', async () => {
    const { server, tool, campaignId } = await start({ blocked: new Set(['desk5@outlet.example']) });
    await tool.add(madeLeads(2), { apiKey, campaignId });
    const leads = [...madeLeads(6), { ...madeLeads(1, 9)[0], email: 'nobody' } as OutboundLead];
    const answer = await tool.add(leads, { apiKey, campaignId });
    expect(answer.counts).toEqual({ added: 3, duplicates: 2, invalid: 1, blocked: 1, skipped: 0, failed: 0 });
    expect(server.campaigns.get(campaignId)?.size).toBe(5);
  });

  it('are sent once each although requests are refused, reset, answered with errors or too late', async () => {
    for (const fault of ['tooMany', 'broken', 'reset', 'late'] as const) {
      const timeouts = fault === 'late' ? { timeoutMs: 1_000 } : {};
      const { server, tool, campaignId } = await start({ first: [fault, fault], ...timeouts });
      const answer = await tool.add(madeLeads(tool.batchSize), { apiKey, campaignId });
      expect(server.requests).toBe(3);
      expect(sumOf(answer)).toBe(tool.batchSize);
      expect(answer.counts.added + answer.counts.duplicates).toBe(tool.batchSize);
      expect(server.campaigns.get(campaignId)?.size).toBe(tool.batchSize);
    }
  });

  it('do not count as sent if the tool cannot be reached', async () => {
    // A port that no test of another process gets.
    const tool = openAt({ instantly, smartlead }[name], 'http://127.0.0.1:2');
    const campaignId = campaigns[name];
    await expect(tool.add(madeLeads(3), { apiKey, campaignId })).rejects.toMatchObject({
      code: 'tool_failed',
      message: expect.stringMatching(/cannot be reached/),
    });
  });

  it('are retried as often as that may help, and no more', async () => {
    const { server, tool, campaignId } = await start({ always: 'tooMany' });
    await expect(tool.add(madeLeads(1), { apiKey, campaignId })).rejects.toMatchObject({ code: 'tool_failed' });
    expect(server.requests).toBe(clientOptions.retries + 1);
  });

  it('are refused for a wrong key and for a missing campaign, and for these alone', async () => {
    const { server, tool, campaignId } = await start();
    const send = (target: { apiKey: string; campaignId: string }) => tool.add(madeLeads(1), target);
    await expect(send({ apiKey: 'another', campaignId })).rejects.toMatchObject({ code: 'tool_key_rejected' });
    const unknown = name === 'instantly' ? '00000000-0000-4000-8000-000000000000' : '1';
    await expect(send({ apiKey, campaignId: unknown })).rejects.toMatchObject({ code: 'campaign_not_found' });
    expect(server.requests).toBe(2);
  });

  it("report that the tool's plan is full, and count what it left out as failed", async () => {
    const { tool, campaignId } = await start({ room: 2 });
    const answer = await tool.add(madeLeads(5), { apiKey, campaignId });
    expect(answer.counts).toMatchObject({ added: 2, failed: 3 });
    expect(sumOf(answer)).toBe(5);
    expect(answer.refusal).toMatch(/plan/);
  });

  it('stay within the limits of the tool, for all pushes with one key', async () => {
    // The clock stands still until every request that was sent has its answer: however slow the machine, none arrives late.
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const requests = vi.spyOn(globalThis, 'fetch');
    const { server, tool, campaignId } = await start();
    const count = 70;
    let answered = 0;
    const pushes = Array.from({ length: count }, async (_, index) => {
      await tool.add(madeLeads(1, index), { apiKey, campaignId });
      answered += 1;
    });
    while (answered < count && server.overLimit === 0) {
      await until(() => answered === requests.mock.calls.length || server.overLimit > 0);
      vi.advanceTimersToNextTimer();
    }
    expect(server.overLimit).toBe(0);
    await Promise.all(pushes);
    expect(server.campaigns.get(campaignId)?.size).toBe(count);
  });
});

describe('undocumented answers', () => {
  async function answered(
    reply: ToolReply,
    tool: ToolDefinition,
    options: Parameters<typeof openAt>[2] = {},
  ): Promise<BatchAnswer | Problem> {
    const server = await startStandIn(() => reply, {});
    open.push(server);
    return openAt(tool, server.url, { retries: 1, ...options })
      .add(madeLeads(4), { apiKey, campaignId: '1' })
      .catch((error) => error);
  }

  it.each([instantly, smartlead])('from a firewall say nothing about the key', async (make) => {
    expect(await answered(edgePage, make)).toMatchObject({
      code: 'tool_failed',
      message: expect.stringMatching(/403/),
    });
    expect(await answered({ status: 404, body: '<html>' }, make)).toMatchObject({ code: 'tool_failed' });
  });

  it.each([instantly, smartlead])('that ask to wait are obeyed for as long as they say', async (make) => {
    const refusal = { status: 429, body: { message: 'Slow down' }, headers: { 'Retry-After': '0.5' } };
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    expect(await answered(refusal, make, { pause })).toMatchObject({ code: 'tool_failed' });
    expect(pauses).toEqual([500]);
  });

  it.each([instantly, smartlead])('that redirect are not followed: the key goes to nobody else', async (make) => {
    const elsewhere = await startStandIn(() => ({ status: 200, body: { leads_uploaded: 4, total_leads: 4 } }), {});
    open.push(elsewhere);
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { Location: `${elsewhere.url}/leads` };
      expect(await answered({ status, body: {}, headers }, make)).toMatchObject({ code: 'tool_failed' });
    }
    expect(elsewhere.requests).toBe(0);
  });

  it.each([instantly, smartlead])('that are unreadable leave the leads failed', async (make) => {
    for (const body of ['<html>', [], 'null', {}, { ok: true }, { success: false, error: 'desk1@outlet.example' }]) {
      const answer = (await answered({ status: 200, body }, make)) as BatchAnswer;
      expect(answer.counts).toMatchObject({ added: 0, failed: 4 });
      expect(answer.refusal).not.toMatch(/@/);
    }
  });

  it.each([instantly, smartlead])('with inconsistent counts are made to add up', async (make) => {
    for (const body of [
      { leads_uploaded: 99, total_leads: 99 },
      { leads_uploaded: 2, duplicated_leads: 2, skipped_count: 2, total_leads: 2, duplicate_count: 2 },
      { leads_uploaded: '1', total_leads: '1', in_blocklist: -5, block_count: -5 },
      { leads_uploaded: 0, total_leads: 0 },
    ]) {
      expect(sumOf((await answered({ status: 200, body }, make)) as BatchAnswer)).toBe(4);
    }
  });

  it.each([
    ['instantly', instantly, { leads_uploaded: 3, created_leads: 3 }],
    ['smartlead', smartlead, { upload_count: 4, total_leads: 3, invalid_emails: 1 }],
  ] as const)('leave only known counters in the details of %s', async (_, make, known) => {
    const lists: Record<string, object[]> = { created_leads: [{ email: 'a@b.example' }, {}, {}], invalid_emails: [{}] };
    const odd = `{"verified_ok":2,"key_${apiKey}":7,"desk1@outlet.example":1,"remaining_in_plan":500,"note":"x","constructor":7,"toString":3,"__proto__":5}`;
    const given = Object.entries(known).map(([name, count]) => [name, lists[name] ?? count]);
    const body = { ...Object.fromEntries(given), ...JSON.parse(odd) };
    Object.defineProperty(body, '__proto__', { value: 5, enumerable: true });
    const answer = (await answered({ status: 200, body }, make)) as BatchAnswer;
    expect(Object.entries(answer.details).toSorted()).toEqual(Object.entries(known).toSorted());
    expect(answer.counts).toMatchObject({ added: 3 });
    expect(sumOf(answer)).toBe(4);
  });

  it('that say payment is required, or that a batch is invalid, are the tool’s failure', async () => {
    for (const status of [400, 402, 409, 422]) {
      expect(await answered({ status, body: { message: 'no' } }, instantly)).toMatchObject({ code: 'tool_failed' });
    }
  });
});

it('Instantly is told to leave out nobody for being in another campaign, and to spend nothing on checks', async () => {
  const bodies: unknown[] = [];
  const server = await startStandIn(({ body }) => {
    bodies.push(body);
    return { status: 200, body: { leads_uploaded: 1 } };
  }, {});
  open.push(server);
  await openAt(instantly, server.url).add(madeLeads(1), { apiKey, campaignId: campaigns.instantly });
  expect(bodies).toMatchObject([
    { skip_if_in_campaign: false, skip_if_in_workspace: false, verify_leads_on_import: false },
  ]);
});

describe.each<SmartleadShape>(['observed', 'guide', 'openapi'])('Smartlead with the answer shape %s', (shape) => {
  it('never counts submitted leads as added', async () => {
    const { tool, campaignId } = await tools.smartlead({ shape });
    await tool.add(madeLeads(3), { apiKey, campaignId });
    const { counts } = await tool.add(madeLeads(5), { apiKey, campaignId });
    expect(counts.added).toBe(2);
    expect(counts.duplicates + counts.skipped).toBe(3);
  });
});
