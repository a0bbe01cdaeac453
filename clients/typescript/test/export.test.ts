import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, runService } from '../../../test/http/run-service.ts';
import { openEmbeddedForTest, type TestBackend } from '../../../test/support/backends.ts';
import { madeRecord } from '../../../test/support/made-record.ts';
import { useFolder } from '../../../test/support/use.ts';
import { createMasthead, type Masthead, MastheadError } from '../src/index.ts';
import { saveExport } from '../src/node.ts';
import { collect, failureOf } from './outcomes.ts';

const outlets = Array.from({ length: 40 }, (_, index) =>
  madeRecord({
    id: `outlet-${index}`,
    name: `"Outlet" ${index},\r\nof here — 人民`,
    ...(index < 5 && { email: `desk${index}@outlet.example` }),
  }),
);
/** A file of many pieces, quick to index. */
const longWord = 'x'.repeat(250);
const letters = Array.from({ length: 400 }, (_, index) =>
  madeRecord({ id: `letter-${index}`, kind: 'newsletter', description: `${index} ${longWord} `.repeat(14) }),
);

/** Changes the bytes of every answer on their way; `null` breaks the connection. */
function tampering(change: (chunk: Uint8Array, place: number) => Uint8Array | null | 'end'): typeof fetch {
  return async (...given) => {
    const { body, status, headers } = await fetch(...given);
    let place = 0;
    async function* changed() {
      for await (const chunk of body ?? []) {
        const next = change(chunk, place++);
        if (next === null) throw new TypeError('terminated');
        if (next === 'end') return;
        yield next;
      }
    }
    return new Response(ReadableStream.from(changed()), { status, headers });
  };
}

describe('exports of the TypeScript client', () => {
  let backend: TestBackend;
  let service: RunningService;
  let masthead: Masthead;
  const folder = useFolder();
  let key: string;

  beforeAll(async () => {
    backend = await openEmbeddedForTest();
    await backend.load([...outlets, ...letters]);
    service = await runService(backend);
    key = await service.issueKey('premium');
    masthead = createMasthead({ baseUrl: service.url, apiKey: key });
  });
  afterAll(async () => {
    await service.close();
    await backend.close();
  });

  const tampered = (change: Parameters<typeof tampering>[0]) =>
    createMasthead({ baseUrl: service.url, apiKey: key, fetch: tampering(change) });

  it('iterates over whole records, or over the fields asked for', async () => {
    const records = await collect(masthead.exportRecords());
    expect(records.map(({ id }) => id).toSorted()).toEqual(outlets.map(({ id }) => id).toSorted());
    expect(records.find(({ id }) => id === 'outlet-3')).toEqual(await masthead.findRecord('outlet-3'));
    const some = await collect(masthead.exportRecords({ kind: ['outlet', 'newsletter'], fields: ['kind'] }));
    expect(some).toHaveLength(440);
    expect(some).toContainEqual({ id: 'letter-9', kind: 'newsletter' });
    expect(await collect(masthead.exportRecords({ country: 'JP' }))).toEqual([]);
  });

  it('iterates over contacts, each apart from its record', async () => {
    const contacts = await collect(masthead.exportContacts({ has_email: true, fields: ['name', 'email'] }));
    expect(contacts).toHaveLength(5);
    const [{ contact, record } = { contact: null, record: null }] = contacts;
    expect(record).toEqual({ id: record?.id, name: outlets.find(({ id }) => id === record?.id)?.name });
    expect(contact?.email).toBe(outlets.find(({ id }) => id === record?.id)?.email);
  });

  it('lets go of the service when the caller has seen enough', async () => {
    for await (const { id } of masthead.exportRecords({ kind: 'newsletter' })) if (id !== '') break;
    await expect.poll(() => backend.holdsScan()).toBe(false);
    const ending = new AbortController();
    const reading = (async () => {
      for await (const { id } of masthead.exportRecords({ kind: 'newsletter' }, { signal: ending.signal })) {
        if (id !== '') ending.abort();
      }
    })();
    expect(await failureOf(reading)).toMatchObject({ name: 'AbortError' });
    await expect.poll(() => backend.holdsScan()).toBe(false);
  });

  it.each(['csv', 'ndjson', 'xlsx', 'lemlist'] as const)('saves %s as a file that is whole', async (format) => {
    const path = join(folder, `whole.${format}`);
    const kind = format === 'lemlist' ? ('podcast' as const) : ('outlet' as const);
    const saved = await saveExport(masthead, path, { format, kind });
    const bytes = await readFile(path);
    expect(saved).toEqual({ path, rows: format === 'lemlist' ? 0 : 40, bytes: bytes.length });
    if (format === 'csv') expect(parse(bytes, { columns: true })).toHaveLength(40);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each([
    ['csv', 'cut off within a row', (chunk: Uint8Array) => chunk.subarray(0, -3)],
    ['xlsx', 'cut off before its end', (chunk: Uint8Array) => chunk.subarray(0, -3)],
    ['ndjson', 'without its later pieces', (chunk: Uint8Array, place: number) => (place === 0 ? chunk : 'end')],
    ['csv', 'without its later pieces', (chunk: Uint8Array, place: number) => (place === 0 ? chunk : 'end')],
    ['ndjson', 'when the connection breaks', (chunk: Uint8Array, place: number) => (place === 0 ? chunk : null)],
  ] as const)('refuses %s %s, and keeps the file of before', async (format, _, change) => {
    const path = join(folder, `kept.${format}`);
    await writeFile(path, 'of yesterday');
    const error = await failureOf(saveExport(tampered(change), path, { format, kind: 'newsletter' }));
    expect(error).toBeInstanceOf(MastheadError);
    expect(error).toMatchObject({ code: 'incomplete_export', status: 200, requestId: expect.any(String) });
    expect(await readFile(path, 'utf8')).toBe('of yesterday');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('refuses an iteration that lacks its last records', async () => {
    const half = tampered((chunk, place) => (place === 0 ? chunk : 'end'));
    expect(await failureOf(collect(half.exportRecords({ kind: 'newsletter' })))).toMatchObject({
      code: 'incomplete_export',
      message: expect.stringMatching(/of 400 rows|within a row/),
    });
  });

  it('fails before the first byte where the plan does not allow it, with where to buy', async () => {
    const pro = createMasthead({ baseUrl: service.url, apiKey: await service.issueKey('pro') });
    expect(await failureOf(collect(pro.exportRecords()))).toMatchObject({
      code: 'plan_required',
      status: 403,
      problem: { required_plan: 'premium', buy_url: expect.any(String) },
    });
    expect((await pro.exportFile()).total).toBe(40);
  });
});
