import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMasthead } from '../../clients/typescript/src/index.ts';
import { readCodeBlocks, writeRecipes } from '../../test/support/documents.ts';
import { runHere } from '../../test/support/run-here.ts';
import { useFolder } from '../../test/support/use.ts';
import { fetchPythonPackages, findIfRequired, type PythonPackages } from '../python-packages.ts';
import { type ServiceWithStandIns, startServiceWithStandIns } from '../service-with-stand-ins.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** openapi-python-client with its dependencies and those of its clients, in the versions of clients/python/requirements.txt. */
const generator = await findIfRequired('The Python client is', async () => {
  const requirements = inRepository('clients/python/requirements.txt');
  const versions = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const name = `openapi-python-client-${versions.slice(0, 12)}`;
  return fetchPythonPackages(name, ['-r', requirements], (line) => console.log(line));
});
const readme = new URL('../../clients/python/README.md', import.meta.url);
const records = 600;

const generated = useFolder();
let imports: { PYTHONPATH: string };
beforeAll(async () => {
  if (generator !== null) imports = await generateClient(generator, generated);
});

describe.skipIf(generator === null)('the generated Python client', () => {
  const folder = useFolder();
  let service: ServiceWithStandIns;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    service = await startServiceWithStandIns({ records, keyCount: 2 });
    env = { ...process.env, ...imports, MASTHEAD_URL: service.url, MASTHEAD_KEY: service.keys[0] };
    await writeRecipes('python', folder);
    await writeFile(join(folder, 'masthead.key'), `${service.keys[1]}\n`);
  });
  afterAll(async () => {
    await service?.close();
  });

  const run = async (file: string) => {
    const { python } = generator as PythonPackages;
    return (await promisify(execFile)(python, [file], { cwd: folder, env })).stdout;
  };
  const readLines = async (name: string) =>
    (await readFile(join(folder, name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('searches, pages, looks up, exports and reports errors with their types', async () => {
    const output = await run(fileURLToPath(new URL('use_client.py', import.meta.url)));
    // Python formats the same times in another way.
    const seen = JSON.parse(output.replaceAll('+00:00"', '.000Z"'));
    const masthead = createMasthead({ baseUrl: service.url, apiKey: service.keys[0] ?? '' });
    const { total } = await masthead.search({ kind: 'podcast' });
    const { id, name } = seen.record;
    expect(seen).toEqual({
      record: await masthead.findRecord(id),
      masked: true,
      similar: 5,
      paged: total,
      counted: total,
      exported: total,
      asked: [
        [id, name],
        ['nobody', null],
      ],
      wrong: [
        ['kind', 'outlet'],
        ['country', 'Germany'],
      ],
      lost: [404, 'not_found', true],
      refused: [401, 'key_invalid'],
      plan: 'premium',
      plans: ['pro', 'premium'],
      days: 30,
    });
    expect(total).toBeGreaterThan(100);
  });

  it('runs the example of its README', async () => {
    const [example] = (await readCodeBlocks(readme)).filter(({ language }) => language === 'python');
    await writeFile(join(folder, 'example.py'), example?.code ?? '');
    expect(await run('example.py')).toContain('@');
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
    const change = ['indexer/main.ts', 'set', changed, 'description=Changed'];
    expect(await runHere(change, { MASTHEAD_DATA_DIR: service.dataDir })).toMatchObject({ code: 0 });
    const removal = ['indexer/main.ts', 'delete', outlets.at(-1)?.id];
    expect(await runHere(removal, { MASTHEAD_DATA_DIR: service.dataDir })).toMatchObject({ code: 0 });
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

/** Generates the client from docs/openapi.json. Expects that the generator left nothing out. Returns the name to import. */
async function generateClient({ bin, env }: PythonPackages, folder: string): Promise<{ PYTHONPATH: string }> {
  const args = ['generate', '--fail-on-warning', '--meta', 'none', '--output-path', join(folder, 'masthead_client')];
  const given = ['--config', inRepository('clients/python/generator.yml'), '--path', inRepository('docs/openapi.json')];
  const options = { env: { ...process.env, ...env } };
  await promisify(execFile)(join(bin, 'openapi-python-client'), [...args, ...given], options);
  return { PYTHONPATH: [folder, env.PYTHONPATH].join(delimiter) };
}
