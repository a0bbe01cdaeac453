import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../src/accounts/issue-key.ts';
import { openEmbedded } from '../../src/backends/embedded/open-embedded.ts';
import { madeRecord } from '../../testing/made-record.ts';
import { startService } from '../../testing/run-service.ts';
import { startInstantly } from '../../testing/stand-ins/instantly-server.ts';
import { startSmartlead } from '../../testing/stand-ins/smartlead-server.ts';

/** What came of pushing to one tool. */
interface ToolReport {
  tool: string;
  seconds: number;
  requests: number;
  answer: Record<string, unknown>;
}

export interface PushReport {
  tools: ToolReport[];
  /** Promises of docs/exports.md that were broken. */
  faults: string[];
}

const faults = { tooMany: 0.05, broken: 0.01, reset: 0.02, late: 0.03 };
const outcomes = ['added', 'duplicates', 'invalid', 'blocked', 'skipped', 'failed'] as const;

/** Pushes leads to a stand-in of each tool through the service as a process, logging at trace, while requests fail. */
export async function runPush({ leads, seed }: { leads: number; seed: number }): Promise<PushReport> {
  const report: PushReport = { tools: [], faults: [] };
  const promise = (text: string, isKept: boolean) => {
    if (!isKept) report.faults.push(text);
  };
  const toolKey = `secret-${randomUUID()}`;
  const campaigns = { instantly: randomUUID(), smartlead: '4711' };
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-push-'));
  const options = { apiKey: toolKey, faults, lateMs: 3_000, seed };
  const instantly = await startInstantly({ ...options, campaigns: [campaigns.instantly] });
  const smartlead = await startSmartlead({ ...options, campaigns: [campaigns.smartlead] });
  try {
    const pepper = randomBytes(32).toString('hex');
    const key = await fillStore(dataDir, leads, pepper);
    const service = await startService({
      MASTHEAD_DATA_DIR: dataDir,
      KEY_PEPPER: pepper,
      LOG_LEVEL: 'trace',
      INSTANTLY_API_BASE: instantly.url,
      SMARTLEAD_API_BASE: smartlead.url,
    });
    try {
      for (const [tool, server] of [
        ['instantly', instantly],
        ['smartlead', smartlead],
      ] as const) {
        const since = performance.now();
        const answer = await push(service.url, key, { tool, api_key: toolKey, campaign_id: campaigns[tool] });
        const seconds = (performance.now() - since) / 1_000;
        report.tools.push({ tool, seconds, requests: server.requests, answer });
        const sum = outcomes.reduce((total, outcome) => total + Number(answer[outcome]), 0);
        promise(`${tool}: sent is the sum of what became of them`, answer.sent === sum && answer.sent === leads);
        promise(`${tool}: nothing failed`, answer.failed === 0);
        promise(`${tool}: each lead is in the campaign once`, server.campaigns.get(campaigns[tool])?.size === leads);
        promise(`${tool}: no limit is exceeded`, server.overLimit === 0);
      }
    } finally {
      service.process.kill('SIGTERM');
      await service.ended;
    }
    promise('the key of the tool is in no log line', !(service.stdout() + service.stderr()).includes(toolKey));
    for (const name of await readdir(dataDir)) {
      promise(`the key of the tool is not in ${name}`, !(await readFile(join(dataDir, name))).includes(toolKey));
    }
  } finally {
    await Promise.all([instantly.close(), smartlead.close()]);
    await rm(dataDir, { recursive: true, force: true });
  }
  return report;
}

/** Answers a Premium key. */
async function fillStore(dataDir: string, leads: number, pepper: string): Promise<string> {
  const store = openEmbedded({ dataDir, logLine: () => {} });
  try {
    const records = Array.from({ length: leads }, (_, index) =>
      madeRecord({ id: `outlet-${index}`, email: `desk${index}@outlet.example`, contact_name: 'Ulla von der Leyen' }),
    );
    await store.records.merge(records);
    const grant = { tier: 'premium', days: 1, email: null } as const;
    return (await issueKey({ ...store, operator: 'trial' }, pepper, grant, new Date())).key;
  } finally {
    await store.close();
  }
}

async function push(url: string, key: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/v1/export/push`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({ ...body, filters: {} }),
  });
  return (await response.json()) as Record<string, unknown>;
}
