import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMasthead, type Masthead } from '../../clients/typescript/src/index.ts';
import { collect } from '../../clients/typescript/test/outcomes.ts';
import { readCodeBlocks, writeRecipes } from '../../test/support/documents.ts';
import { parseLines } from '../../test/support/lines.ts';
import { runHere } from '../../test/support/run-here.ts';
import { useFolder } from '../../test/support/use.ts';
import { fetchPythonPackages, findIfRequired, type PythonPackages } from '../python-packages.ts';
import { type ServiceWithStandIns, startServiceWithStandIns } from '../service-with-stand-ins.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What builds the wheel, and the dependencies of the wheel, in the versions of clients/python/requirements.txt. */
const generator = await findIfRequired('The Python client is', async () => {
  const requirements = inRepository('clients/python/requirements.txt');
  const versions = hash('sha256', await readFile(requirements));
  const name = `openapi-python-client-${versions.slice(0, 12)}`;
  return fetchPythonPackages(name, ['-r', requirements], (line) => console.log(line));
});
const readme = new URL('../../clients/python/README.md', import.meta.url);
const records = 600;

const installed = useFolder();
let python: string;
beforeAll(async () => {
  if (generator !== null) python = await installWheel(generator, installed);
});

describe.skipIf(generator === null)('the Python client', () => {
  const folder = useFolder();
  let service: ServiceWithStandIns;
  let env: NodeJS.ProcessEnv;
  let masthead: Masthead;

  beforeAll(async () => {
    service = await startServiceWithStandIns({ records, keyCount: 2 });
    masthead = createMasthead({ baseUrl: service.url, apiKey: service.keys[0] ?? '' });
    env = { ...process.env, ...generator?.env, MASTHEAD_URL: service.url, MASTHEAD_KEY: service.keys[0] };
    await writeRecipes('python', folder);
    await writeFile(join(folder, 'masthead.key'), `${service.keys[1]}\n`);
  });
  afterAll(async () => {
    await service?.close();
  });

  const run = async (file: string, ...args: string[]) =>
    (await promisify(execFile)(python, [file, ...args], { cwd: folder, env })).stdout;
  const use = async (...args: string[]) =>
    JSON.parse(await run(fileURLToPath(new URL('use_client.py', import.meta.url)), ...args));
  const runIndexer = async (...args: string[]) =>
    expect((await runHere(['indexer/main.ts', ...args], { MASTHEAD_DATA_DIR: service.dataDir })).code).toBe(0);
  const readLines = async (name: string) => parseLines(await readFile(join(folder, name), 'utf8'));

  it('searches, pages, looks up, exports and reports errors with their types', async () => {
    const seen = await use('call');
    const { total } = await masthead.search({ kind: 'podcast' });
    const { id, name } = seen.record;
    // Python formats the same times in another way.
    expect(JSON.parse(JSON.stringify(seen).replaceAll('+00:00"', '.000Z"'))).toEqual({
      record: await masthead.findRecord(id),
      masked: true,
      similar: 5,
      podcasts: [total, total, total, total],
      names: { [id]: name, nobody: null },
      returned: true,
      wrong: ['invalid_request', 400, true, null, 'kind=outlet', 'country=Germany'],
      lost: ['not_found', 404, true, null],
      refused: ['key_invalid', 401, true, null],
      plan: 'premium',
      plans: 2,
      days: 30,
    });
    expect(total).toBeGreaterThan(100);
  });

  it('runs the examples of its README', async () => {
    const examples = (await readCodeBlocks(readme)).filter(({ language }) => language === 'python');
    await writeFile(join(folder, 'example.py'), examples.map(({ code }) => code).join('\n'));
    expect(await run('example.py')).toMatch(/@.*True [1-9]\d* 0\nnot_found 404 /s);
  });

  it('keeps a copy equal to the API through changes, a run that failed, and a cursor of another store', async () => {
    const path = join(folder, 'copy.json');
    const readCopy = async () => JSON.parse(await readFile(path, 'utf8'));
    const expectEqual = async () => {
      const records = await collect(masthead.exportRecords({ kind: 'outlet' }));
      expect((await readCopy()).records).toEqual(Object.fromEntries(records.map((record) => [record.id, record])));
      return records.length;
    };
    await writeFile(path, JSON.stringify({ cursor: null, records: { 'of-yesterday': {} } }));
    const first = await use('sync');
    expect(first).toEqual({ is_whole: true, upserted: await expectEqual(), removed: 1 });

    const [changed = '', deleted = '', hidden = ''] = Object.keys((await readCopy()).records);
    await runIndexer('set', changed, 'description=Changed once');
    await runIndexer('delete', deleted);
    await runIndexer('suppress', '--record', hidden);
    await expect(use('sync', changed)).rejects.toThrow('the table is locked');
    expect(await use('sync')).toEqual({ is_whole: false, upserted: 1, removed: 2 });
    expect(await expectEqual()).toBe(first.upserted - 2);

    const cursor = Buffer.from('00000000-0000-4000-8000-000000000000 1 1 1').toString('base64url');
    await writeFile(path, JSON.stringify({ ...(await readCopy()), cursor }));
    expect(await use('sync')).toEqual({ is_whole: true, upserted: await expectEqual(), removed: 0 });
  });

  it('waits and asks again where that helps, notices exports that are cut, and raises errors with codes', async () => {
    const faults = [429, 'break', 503];
    const sent = ['Content-Type', 'X-Request-Id', 'X-Total-Count'];
    await using unsteady = createServer(async ({ url = '', method, headers: { authorization = '' } }, response) => {
      const isRefused = authorization === '' || method === 'POST';
      const fault = isRefused ? 429 : faults.shift();
      if (fault === 'break') return response.destroy();
      if (fault !== undefined) return response.writeHead(Number(fault), { 'Retry-After': '7' }).end();
      const answer = await fetch(service.url + url, { headers: { authorization } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      for (const name of sent) response.setHeader(name, answer.headers.get(name) ?? '');
      // Of exports, the last row is missing, or half of it.
      const end = url.includes('kind=podcast') ? -30 : bytes.lastIndexOf('\n', -2) + 1;
      response.writeHead(answer.status).end(url.startsWith('/api/v1/export') ? bytes.subarray(0, end) : bytes);
    });
    await once(unsteady.listen(0, '127.0.0.1'), 'listening');
    await writeFile(join(folder, 'kept'), 'of yesterday');
    const { port } = unsteady.address() as AddressInfo;
    expect(await use('meet', `http://127.0.0.1:${port}`)).toEqual({
      records: (await masthead.search({ kind: 'podcast' })).total,
      cut: Array.from({ length: 4 }, () => ['incomplete_export', 200, true, null]),
      refused: ['unexpected_answer', 429, false, 7],
      hurried: ['unexpected_answer', 429, false, 7],
      away: ['connection_failed', null, false, null],
      waits: [7, true, 7, true],
      leaked: false,
    });
    expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('of yesterday');
    expect(await readdir(folder)).not.toContain('kept.part');
  });

  it('runs the recipes of docs/recipes.md', async () => {
    await run('export_file.py');
    const outlets = await readLines('outlets.ndjson');
    expect(outlets.length).toBeGreaterThan(100);

    const sync = await readFile(join(folder, 'sync.py'), 'utf8');
    await writeFile(join(folder, 'sync_people.py'), sync.replace('"country"]', '"country", "contacts"]'));
    await run('sync_people.py');
    await writeFile(
      join(folder, 'count.py'),
      'from crm import table\nprint(table.execute("SELECT count(*) FROM people").fetchone()[0])\n',
    );
    expect(Number(await run('count.py'))).toBeGreaterThan(records / 2);
    await rm(join(folder, 'cursor'));
    await writeFile(
      join(folder, 'crm.py'),
      'import json\ndef upsert_contact(record):\n  with open("crm.ndjson", "a") as file:\n    file.write(json.dumps(record) + "\\n")\ndef delete_contact(id):\n  with open("deleted.txt", "a") as file:\n    file.write(id + "\\n")\ndef list_contact_ids():\n  return ["of-yesterday"]\n',
    );
    await run('sync.py');
    expect(await readFile(join(folder, 'deleted.txt'), 'utf8')).toBe('of-yesterday\n');
    const everything = await readLines('crm.ndjson');
    expect(everything.length).toBeGreaterThan(outlets.length);
    await rm(join(folder, 'crm.ndjson'));
    const changed = outlets[0]?.id;
    await runIndexer('set', changed, 'description=Changed');
    await runIndexer('delete', outlets.at(-1)?.id);
    await run('sync.py');
    expect((await readLines('crm.ndjson')).map(({ id }) => id)).toEqual([changed]);
    expect(await readFile(join(folder, 'deleted.txt'), 'utf8')).toContain(outlets.at(-1)?.id);

    // A webmail address may be of several media, and then it finds none of them.
    const isOwn = (email: string | null) => email !== null && !email.endsWith('@webmail.example');
    const addresses = outlets.flatMap(({ email }) => (isOwn(email) ? email : [])).slice(0, 130);
    await writeFile(join(folder, 'addresses.txt'), ['jane@unheard-of.example', ...addresses].join('\n'));
    await run('enrich.py');
    const enriched = await readLines('enriched.ndjson');
    expect(enriched.map(({ asked }) => asked)).toEqual(['jane@unheard-of.example', ...addresses]);
    expect(enriched[0]).toEqual({ asked: 'jane@unheard-of.example', matches: 0 });
    expect(enriched.slice(1).map(({ email }) => email)).toEqual(addresses);

    await run('rotate.py');
    const key = (await readFile(join(folder, 'masthead.key'), 'utf8')).trim();
    expect(key).not.toBe(service.keys[1]);
    expect((await stat(join(folder, 'masthead.key'))).mode & 0o077).toBe(0);
    await run('export_file.py');
    await writeFile(join(folder, 'masthead.key'), 'mh_unknown');
    await expect(run('export_file.py')).rejects.toThrow('key_invalid');
    expect(await readLines('outlets.ndjson')).toHaveLength(outlets.length - 1);
  });
});

/** Builds the wheel of the version of the interface, and installs it in a new environment. Returns the Python of it. */
async function installWheel({ python, env }: PythonPackages, folder: string): Promise<string> {
  const options = { env: { ...process.env, ...env } };
  const runPython = (...args: string[]) => promisify(execFile)(python, args, options);
  await runPython(inRepository('clients/python/build.py'), folder);
  const { info } = JSON.parse(await readFile(inRepository('docs/openapi.json'), 'utf8'));
  const environment = join(folder, 'environment');
  await runPython('-m', 'venv', '--without-pip', environment);
  const isolated = join(environment, 'bin/python');
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--python', isolated];
  const wheel = join(folder, `masthead_client-${info.version}-py3-none-any.whl`);
  await runPython(...pip, 'install', '--quiet', '--no-index', '--no-deps', wheel);
  // The packages of PYTHONPATH are what the wheel says that it needs.
  await runPython(...pip, 'check');
  return isolated;
}
