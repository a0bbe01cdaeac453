import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { tables } from '#backends/embedded/schema.ts';
import { asVersion11 } from '#testing/old-store.ts';

describe('the embedded store of version 1.1', () => {
  let dataDir: string;
  let old: DatabaseSync;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'masthead-earlier-'));
    old = new DatabaseSync(join(dataDir, 'masthead.db'));
    old.exec(tables);
    old.exec(asVersion11);
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('keeps its audit log, pushes, use of keys, reservations and pepper', async () => {
    const at = '2026-11-22T10:00:00.000Z';
    const today = new Date().toISOString();
    old.exec(`
      INSERT INTO audit_log (at, operator, action, subject, outcome) VALUES
        ('${at}', 'ada', 'keys issue', 'mh_1', NULL), ('${at}', 'ada', 'delete', 'record 1', '1 deleted');
      INSERT INTO key_usage VALUES ('hash', '${today.slice(0, 10)}', 3, 2, 1, '${today}');
      INSERT INTO pushes VALUES ('psh_1', 'hash', 'mh_1', 'smartlead', '47', 'done', '{"sent":1}', '{"total":1}', NULL,
        '${today}', '${today}');
      INSERT INTO reservations VALUES ('reserved', 'fingerprint', 'ord_1', '${today}');
      INSERT INTO key_pepper VALUES (1, 'proof', '${at}')`);
    old.close();
    const store = openEmbedded({ dataDir, logLine: () => {} });
    const entry = { at, operator: 'ada', action: 'keys issue', subject: 'mh_1', outcome: null };
    const deletion = { ...entry, action: 'delete', subject: 'record 1', outcome: '1 deleted' };
    expect(await store.audit.list(5)).toEqual([deletion, entry]);
    const counts = { requests: 3, exportedRows: 2, pushedLeads: 1 };
    const day = { keyHash: 'hash', date: today.slice(0, 10), ...counts, lastUsedAt: today };
    expect(await store.usage.list('hash', '2026-01-01')).toEqual([day]);
    const push = { id: 'psh_1', keyHash: 'hash', keyPrefix: 'mh_1', tool: 'smartlead', campaignId: '47' };
    const end = { status: 'done', counts: { sent: 1 }, details: { total: 1 }, failure: null };
    expect(await store.pushes.list(5)).toEqual([{ ...push, ...end, startedAt: today, updatedAt: today }]);
    const reserved = { hash: 'reserved', fingerprint: 'fingerprint', subjectId: 'ord_1', createdAt: today };
    expect(await store.reservations.use(reserved)).toBe(true);
    expect(await store.pepper.find()).toEqual({ proof: 'proof', since: at });
    await store.close();
  });
});
