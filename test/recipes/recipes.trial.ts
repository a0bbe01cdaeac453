import { execFile } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { runService } from '#test/http/run-service.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { type ClientProject, installClient } from '#testing/clients.ts';
import { writeRecipes } from '#testing/documents.ts';
import { parseLines } from '#testing/lines.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { processEnvironment } from '#testing/processes.ts';
import { useOne } from '#testing/use.ts';

const outlets = Array.from({ length: 120 }, (_, index) =>
  madeRecord({
    id: `outlet-${index}`,
    name: `"Outlet" ${index}`,
    url: `https://outlet-${index}.example/`,
    email: `desk@outlet-${index}.example`,
    email_status: 'valid',
    updated_at: `2026-03-${String((index % 20) + 1).padStart(2, '0')}T10:00:00.000Z`,
  }),
);
const covered = madeRecord({
  id: 'covered',
  kind: 'newsletter',
  name: 'Leeds Letter',
  country: 'GB',
  city: 'Leeds',
  contacts: [
    madeContact({ id: 'ann', name: 'Ann Oneill', beats: ['Schools'], email: 'ann@covered.example' }),
    madeContact({ id: 'bob', name: 'Bob Twomey', beats: ['Sports'], email: 'bob@covered.example' }),
  ],
});
const changedLater = { ...(outlets[3] as MediaRecord), name: 'Renamed' };

/** Of another store. */
const expiredCursor = Buffer.from('00000000-0000-4000-8000-000000000000 1 1 1').toString('base64url');

/* Python's are run by trials/clients/, which fetches what they need. */
const languages = [
  { language: 'sh', extension: 'sh', program: 'sh', answers: 'answers.ndjson' },
  { language: 'ts', extension: 'ts', program: process.execPath, answers: 'enriched.ndjson' },
] as const;

let project: ClientProject;
beforeAll(async () => {
  project = await installClient();
});
afterAll(() => project.remove());

describe('the recipes of docs/recipes.md', () => {
  const pod = { id: 'pod', kind: 'podcast', email: 'pod@pod.example', email_status: 'valid' } as const;
  const backend = useOne(openEmbeddedForTest, (backend) =>
    backend.load([...outlets, madeRecord({ ...pod, updated_at: '2026-01-05T10:00:00.000Z' }), covered]),
  );
  const service = useOne(() => runService(backend));
  let folder: string;
  let key: string;

  beforeEach(async () => {
    folder = await project.makeFolder();
    key = await service.issueKey('premium');
    await writeFile(join(folder, 'masthead.key'), `${key}\n`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const readLines = async (name: string) => parseLines(await read(name));

  describe.each(languages)('in $language', ({ language, extension, program, answers }) => {
    const run = (recipe: string) => {
      const env = processEnvironment({ MASTHEAD_URL: service.url });
      return promisify(execFile)(program, [`${recipe}.${extension}`], { cwd: folder, env });
    };

    it('are one for each task', async () => {
      const names = await writeRecipes(language, folder);
      const ofShell = language === 'sh' ? ['people', 'list', 'watch'] : [];
      const tasks = ['nightly', 'sync', 'enrich', ...ofShell, 'rotate'].map((task) => `${task}.${extension}`);
      expect(names.filter((name) => !name.startsWith('connect'))).toEqual(tasks);
    });

    it('export every night, and replace the file only by a whole one', async () => {
      await writeRecipes(language, folder);
      await writeFile(join(folder, 'outlets.csv'), 'of yesterday');
      await run('nightly');
      expect(parse(await read('outlets.csv'), { columns: true })).toHaveLength(120);
      await writeFile(join(folder, 'masthead.key'), 'mh_unknown');
      await expect(run('nightly')).rejects.toThrow(/401|not valid/);
      expect(await read('outlets.csv')).toContain('outlet-119');
    });

    it('sync everything at first, then what has changed since, and delete what is gone', async () => {
      await writeRecipes(language, folder);
      const programs = {
        'upsert-contacts': 'cat >> crm.ndjson',
        'delete-contacts': 'cat >> deleted.txt',
        'list-contacts': 'echo of-yesterday; jq -r .id crm.ndjson',
      };
      for (const [name, code] of Object.entries(programs)) {
        await writeFile(join(folder, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
      }
      await writeFile(
        join(folder, 'crm.ts'),
        `import { appendFile } from 'node:fs/promises';
        export const upsertContact = (record: object) => appendFile('crm.ndjson', \`\${JSON.stringify(record)}\\n\`);
        export const deleteContact = (id: string) => appendFile('deleted.txt', \`\${id}\\n\`);
        export const listContactIds = () => ['of-yesterday', 'outlet-3'];`,
      );
      await run('sync');
      expect(new Set((await readLines('crm.ndjson')).map(({ id }) => id)).size).toBe(121);
      expect(await read('deleted.txt')).toBe('of-yesterday\n');
      await Promise.all([rm(join(folder, 'crm.ndjson')), rm(join(folder, 'deleted.txt'))]);
      await backend.load([changedLater]);
      await backend.records.remove(['outlet-5']);
      try {
        await run('sync');
        expect(await readLines('crm.ndjson')).toMatchObject([{ id: 'outlet-3', name: 'Renamed' }]);
        expect(await read('deleted.txt')).toBe('outlet-5\n');
        await writeFile(join(folder, 'cursor'), expiredCursor);
        await run('sync');
        expect(await read('deleted.txt')).toContain('of-yesterday\n');
      } finally {
        await backend.load([outlets[3], outlets[5]] as MediaRecord[]);
      }
    });

    it('enrich more addresses than a request can have', async () => {
      await writeRecipes(language, folder);
      const others = ['say-"hi"\\@unheard-of.example', 'nobody@outlet-7.example'];
      const addresses = [...outlets.map(({ id }) => `desk@${id}.example`), ...others];
      await writeFile(join(folder, 'addresses.txt'), `${addresses.join('\n')}\n`);
      await run('enrich');
      const lines = await readLines(answers);
      const found = language === 'sh' ? lines.flatMap(({ results }) => results) : lines;
      expect(found.map(({ asked }) => asked)).toEqual(addresses);
      expect(JSON.stringify(found[119])).toContain('desk@outlet-119.example');
      expect(found[120]).toMatchObject({ matches: 0 });
      expect(JSON.stringify(found[121])).toContain('outlet-7');
    });

    // The others have a client, whose tests find people and keep lists.
    if (language === 'sh') {
      it('find who covers a topic in a place, and export the same people as leads', async () => {
        await writeRecipes(language, folder);
        await run('people');
        expect(JSON.parse(await read('people.json'))).toMatchObject({
          total: 1,
          masked: false,
          results: [{ contact: { name: 'Ann Oneill' }, record: { id: 'covered' } }],
        });
        expect(parse(await read('leads.csv'), { columns: true })).toMatchObject([{ email: 'ann@covered.example' }]);
      });

      it('keep a list, and export it with the statuses', async () => {
        await writeRecipes(language, folder);
        await run('list');
        const [row, ...others] = parse(await read('list.csv'), { columns: true }) as Record<string, string>[];
        expect([row?.id, row?.list_status, others.length]).toEqual(['pod', 'to_contact', 0]);
      });

      it('watch a search, and name what is new in it', async () => {
        await writeRecipes(language, folder);
        await run('watch');
        expect(await read('new.txt')).toBe('Leeds\n');
        await backend.load([madeRecord({ id: 'leeds-new', name: 'Leeds News', city: 'Leeds' })]);
        await run('watch');
        expect(await read('new.txt')).toBe('Leeds\nLeeds News\n');
        expect((await stat(join(folder, 'feed.txt'))).mode & 0o077).toBe(0);
        await backend.records.remove(['leeds-new']);
      });
    }

    it('replace the key while the old one still works', async () => {
      await writeRecipes(language, folder);
      await run('rotate');
      const next = (await read('masthead.key')).trim();
      expect(next).not.toBe(key);
      expect((await service.get('/api/v1/me', next)).status).toBe(200);
      expect((await service.get('/api/v1/me', key)).status).toBe(200);
      expect((await stat(join(folder, 'masthead.key'))).mode & 0o077).toBe(0);
      await run('nightly');
    });
  });
});
