import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFiles } from '#indexer/importing/import-files.ts';
import { verifyIndex } from '#indexer/syncing/verify-index.ts';
import type { FieldDefinition } from '#records/field-definition.ts';
import { fields } from '#records/fields.ts';
import { openEmbeddedForTest, type TestBackend } from '#test/backends.ts';
import { engines } from '#test/engines.ts';
import { harmlessTexts, leaksQuill } from '#test/records/addresses/address-forms.ts';
import { openProduction, type Production } from '#testing/open-production.ts';
import { createService, type TestService } from './test-service.ts';

const perPage = 100;

/**
 * A row with the text in every field of the registry that can hold it, including lists and URLs, except those that
 * identify the record. Its email is a different one.
 */
function rowOf(id: string, text: string): Record<string, unknown> {
  const row = Object.fromEntries(
    (fields as readonly FieldDefinition[]).map((field) => [field.key, cellOf(field, text)]),
  );
  return { ...row, id, kind: 'outlet', name: `Herald ${text}`, phone: `555 0100 ${text}`, email: 'box@other.example' };
}

function cellOf({ type }: FieldDefinition, text: string): unknown {
  if (type === 'list') return [text, `Also ${text}`];
  return type === 'url' ? `https://harbour-times.example/a/${encodeURIComponent(text)}?to=${text}` : text;
}

/** Everything that search, record lookups, facets and, with a key, exports return. */
async function readAll(service: TestService, ids: readonly string[], key: string): Promise<string[]> {
  const pages = Array.from({ length: Math.ceil(ids.length / perPage) }, (_, index) => index + 1);
  const paths = [
    ...pages.flatMap((page) => [
      `/api/v1/search?per_page=${perPage}&page=${page}`,
      `/api/v1/search?q=herald&per_page=${perPage}&page=${page}`,
    ]),
    ...ids.map((id) => `/api/v1/records/${encodeURIComponent(id)}`),
    '/api/v1/facets',
  ];
  const texts: string[] = [];
  for (const path of paths) texts.push((await service.get(path).expect(200)).text);
  texts.push((await service.get('/api/v1/export', key).expect(200)).text);
  return texts;
}

/** The part of an answer around remains of the address. */
function leakIn(answer: string): string {
  const place = answer.search(/uill|lliu/i);
  return answer.slice(Math.max(0, place - 60), place + 40);
}

const { mongodb, elasticsearch } = engines;

/** Tests that no caller reads an address that was written in any of these forms, whoever wrote it. */
export function describeAddressForms(texts: readonly string[]): void {
  const forms = texts.map((text, index) => ({ id: `form-${index}`, text }));

  describe('an imported address in any form', () => {
    let backend: TestBackend;
    let service: TestService;
    let folder: string;
    let key: string;

    beforeAll(async () => {
      backend = await openEmbeddedForTest();
      service = createService(backend);
      key = await service.issueKey('pro');
      folder = await mkdtemp(join(tmpdir(), 'masthead-forms-'));
    });
    afterAll(async () => {
      await backend.close();
      await rm(folder, { recursive: true });
    });

    async function importRows(rows: readonly object[]) {
      const path = join(folder, 'rows.ndjson');
      await writeFile(path, rows.map((row) => JSON.stringify(row)).join('\n'));
      const summary = await importFiles([path], {
        records: backend.records,
        dryRun: false,
        removesSample: false,
        kind: null,
        rejectsFolder: folder,
      });
      await backend.settle();
      return summary;
    }

    it('is in no field that any caller reads, and costs no record', async () => {
      const summary = await importRows(forms.map(({ id, text }) => rowOf(id, text)));
      expect(summary).toMatchObject({ created: forms.length, rejected: 0 });
      const answers = await readAll(
        service,
        forms.map(({ id }) => id),
        key,
      );
      expect(answers.join('')).toContain('Herald');
      for (const answer of answers) expect(leaksQuill(answer), leakIn(answer)).toBe(false);
    });

    it('is rejected as an id, with a reason that does not repeat it', async () => {
      const before = await backend.records.count();
      const summary = await importRows(forms.map(({ text }) => ({ id: text, kind: 'outlet', name: 'Herald' })));
      expect(summary).toMatchObject({ created: 0, rejected: forms.length });
      expect(await backend.records.count()).toBe(before);
      expect(leaksQuill(JSON.stringify(summary))).toBe(false);
    });

    it('is not detected where there is none', async () => {
      const rows = harmlessTexts.map((description, index) => ({
        id: `plain-${index}`,
        kind: 'podcast',
        name: 'Herald',
        description,
      }));
      await importRows(rows);
      for (const { id, description } of rows) {
        const { body } = await service.get(`/api/v1/records/${id}`).expect(200);
        expect(body.description).toBe(description);
      }
    });
  });

  describe.skipIf(!mongodb || !elasticsearch)('an address in any form, written to MongoDB by another tool', () => {
    let production: Production;
    let service: TestService;

    beforeAll(async () => {
      production = await openProduction({ mongodb: mongodb ?? '', elasticsearch: elasticsearch ?? '' });
      await production.reindex(true);
      service = createService(production);
    });
    afterAll(() => production.close());

    /** Writes documents past the validator, as those were that stood there before it. */
    async function write(documents: readonly (Document & { _id: string })[]) {
      await production.collection.insertMany([...documents], { bypassDocumentValidation: true });
      await verifyIndex(production.syncDeps, { repairs: true });
    }

    it('is in no field that any caller reads, whether or not the document is in record form', async () => {
      const documents = forms.flatMap(({ id, text }) => {
        const { id: _, ...row } = rowOf(id, text);
        const plain = {
          kind: 'outlet',
          name: `Herald ${text}`,
          description: text,
          updated_at: '2026-01-01T00:00:00.000Z',
        };
        return [
          { ...row, _id: id },
          { ...plain, _id: `plain ${id}` },
        ];
      });
      await write(documents);
      const key = await service.issueKey('pro');
      const ids = documents.map(({ _id }) => _id);
      const answers = await readAll(service, ids, key);
      for (const answer of answers) expect(leaksQuill(answer), leakIn(answer)).toBe(false);
      const { body } = await service.get('/api/v1/search');
      expect(body.total).toBe(documents.length);
    });

    it('as an id makes a dead letter that does not repeat it, and is found by nothing', async () => {
      await write(forms.map(({ text: _id }) => ({ _id, kind: 'podcast', name: 'Herald' })));
      await production.reindex(true);
      const letters: object[] = [];
      for await (const letter of production.syncDeps.deadLetters.scan()) letters.push(letter);
      expect(letters).toHaveLength(forms.length);
      expect(leaksQuill(JSON.stringify(letters))).toBe(false);
      const { body } = await service.get('/api/v1/search?kind=podcast');
      expect(body.total).toBe(0);
    });

    it.each([
      ['<b>Daily</b> <script>alert(1)</script>News', 'Daily News'],
      ['R&amp;amp;B &lt;i&gt;Weekly&lt;/i&gt;', 'R&B Weekly'],
      ['AT&T <The> News', 'AT&T <The> News'],
      ['soft\u00adware \u202eevil', 'software evil'],
      ['ZÃ¡rate  Post', 'Zárate Post'],
    ])('leaves other text like an import: %j', async (text, expected) => {
      const _id = `read ${expected}`;
      const updated_at = '2026-01-01T00:00:00.000Z';
      await write([{ _id, kind: 'newsletter', name: text, aliases: [text], description: text, updated_at }]);
      const { body } = await service.get(`/api/v1/records/${encodeURIComponent(_id)}`).expect(200);
      expect(body).toMatchObject({ name: expected, aliases: [expected], description: expected });
    });
  });
}
