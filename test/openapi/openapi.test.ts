import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plans } from '#accounts/plans.ts';
import type { AppDeps } from '#http/app-deps.ts';
import { problemAnswer } from '#http/problem-answers.ts';
import { recordAnswer } from '#http/record-answer.ts';
import { listEndpoints } from '#http/routes.ts';
import { fields } from '#records/fields.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { openLeadTools } from '#src/lead-tools/open-tool.ts';
import { createSandbox } from '#src/payments/sandbox.ts';
import { problems } from '#src/problem.ts';
import { loadConfig } from '#src/settings/config.ts';
import { createService, publicUrl, useService } from '#test/http/test-service.ts';
import { readCases } from '#testing/cases.ts';
import { media } from '#testing/made-record.ts';
import { judgeChange } from './interface.ts';
import { documentForSnapshot, snapshotPath, versionsPath } from './snapshot.ts';

const webhook = {
  name: 'stripe',
  title: 'Stripe',
  signatureHeader: 'Stripe-Signature',
  eventTypes: [],
  read: () => null,
};
const { backend, service } = useService(media, {
  payments: { ...createSandbox(publicUrl), webhook },
});

interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Operation['responses']; schemas: object };
}
interface Operation {
  operationId?: string;
  parameters?: { name: string; in: string; description?: string }[];
  responses: Record<string, { $ref?: string; content?: Record<string, { example?: unknown; examples?: object }> }>;
}

async function getDocument(): Promise<Document> {
  return (await service.get('/openapi.json')).body;
}

/** The actual routes of the app: each path with its methods. */
function listRoutes(): Map<string, string[]> {
  const routes = new Map<string, string[]>();
  const visit = (stack: readonly Layer[]) => {
    for (const { route, handle } of stack) {
      if (route) {
        const methods = route.stack.flatMap(({ method }) => method ?? []);
        routes.set(route.path, [...new Set([...(routes.get(route.path) ?? []), ...methods])]);
      } else if (handle.stack) visit(handle.stack);
    }
  };
  visit((service.app.router as unknown as { stack: Layer[] }).stack);
  return routes;
}
interface Layer {
  route?: { path: string; stack: { method?: string }[] };
  handle: { stack?: Layer[] };
}

/** Pages for people, what models call, and files that programs look for by themselves: not the API. */
const notOfTheApi =
  /^\/($|mcp$|docs|assets\/|plans$|claim$|account$|lists$|people$|media\/|sandbox\/|openapi\.json$|robots\.txt$|sample\.csv$|llms\.txt$|favicon|\.well-known\/)/;

describe('the OpenAPI document', () => {
  it('names every route of the app, and no other', async () => {
    const { paths } = await getDocument();
    const documented = Object.entries(paths).map(([path, item]) => [path, Object.keys(item)]);
    const served = [...listRoutes()]
      .filter(([path]) => !notOfTheApi.test(path))
      .map(([path, methods]) => [path.replaceAll(/:(\w+)/g, '{$1}'), methods]);
    expect(served.length).toBeGreaterThan(10);
    expect(documented.toSorted()).toEqual(served.toSorted());
  });

  it('leaves out what this service does not serve', async () => {
    const other = createService(backend);
    const { body } = await other.get('/openapi.json');
    expect(Object.keys(body.paths)).not.toContain('/api/v1/webhooks/stripe');
    expect(body.info.contact).toMatchObject({ email: 'listings@masthead.example' });
    expect(body.webhooks).toBeUndefined();
  });

  it('is sent from memory, and not again to a caller that has it', async () => {
    const first = await service.get('/openapi.json');
    expect(first.body.openapi).toBe('3.1.0');
    expect(first.body.servers).toEqual([{ url: publicUrl }]);
    const again = await service.get('/openapi.json').set('If-None-Match', first.headers.etag ?? '');
    expect(again.status).toBe(304);
    const plain = await service.get('/openapi.json').set('Accept-Encoding', 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toEqual(first.body);
  });

  it('describes each parameter', async () => {
    const { paths } = await getDocument();
    let described = 0;
    for (const [path, item] of Object.entries(paths)) {
      for (const operation of Object.values(item)) {
        for (const { name, description } of operation.parameters ?? []) {
          expect(description, `${path} ${name}`).toBeTruthy();
          described += 1;
        }
      }
    }
    expect(described).toBeGreaterThan(20);
  });

  it('has examples that its schemas accept', () => {
    const given = {
      ...loadConfig({}),
      publicUrl,
      formats: listFormats(leadTools),
      leadTools: openLeadTools(loadConfig({})),
      payments: { webhook },
    };
    for (const [key, { body, answer }] of Object.entries(listEndpoints(given as unknown as AppDeps))) {
      expect(body?.schema.safeParse(body.example).error, key).toBeUndefined();
      if (answer.example && answer.schema instanceof z.ZodType)
        expect(answer.schema.safeParse(answer.example).error, key).toBeUndefined();
    }
  });

  it('names every error that a path can answer', async () => {
    const text = JSON.stringify(await getDocument());
    for (const code of Object.keys(problems)) {
      expect(text, code).toContain(`\`${code}\``);
    }
  });

  it('matches docs/openapi.json (to update it, run `npm run openapi`)', async () => {
    const document = JSON.parse(documentForSnapshot());
    expect(document).toEqual(JSON.parse(await readFile(snapshotPath, 'utf8')));
    expect(judgeChange(document, document, await readFile(versionsPath, 'utf8'))).toEqual([]);
  });
});

describe('a change of the API', () => {
  const before = JSON.parse(documentForSnapshot());
  before.info.version = '1.0.0';
  const changed = (change: (document: typeof before) => void, version = '1.0.0') => {
    const after = structuredClone(before);
    change(after);
    after.info.version = version;
    return after;
  };
  const search = (document: typeof before) => document.paths['/api/v1/search'].get;
  const notes = '## 1.0.0\n\n## 1.1.0\n\n## 2.0.0\n';

  it.each<[string, (document: typeof before) => void]>([
    ['a path', (document) => delete document.paths['/api/v1/me']],
    ['a parameter', (document) => search(document).parameters.pop()],
    ['a key of an answer', (document) => delete document.components.schemas.Record.properties.email],
    [
      'a limit of a request, by a narrower one',
      (document) => {
        search(document).parameters.find(({ name }: { name: string }) => name === 'per_page').schema.maximum = 50;
      },
    ],
  ])('that removes %s fails, whatever its minor version', (_, change) => {
    expect(judgeChange(before, changed(change, '1.1.0'), notes)[0]).toMatch(/^no longer holds/);
    expect(judgeChange(before, changed(change, '2.0.0'), notes)).toEqual([]);
  });

  it('that adds something passes only with a higher version and a note', () => {
    const add = (document: typeof before) =>
      search(document).parameters.push({ in: 'query', name: 'extra', schema: { type: 'string' } });
    expect(judgeChange(before, changed(add), notes)[0]).toMatch(/^new without a higher version/);
    expect(judgeChange(before, changed(add, '1.1.0'), '## 1.0.0\n')).toEqual([
      'docs/api-versions.md has no section "## 1.1.0"',
    ]);
    expect(judgeChange(before, changed(add, '1.1.0'), notes)).toEqual([]);
  });
});

describe('an answer has exactly the documented shape', () => {
  it.each(readCases<[path: string, key: string, tier: 'pro' | null]>(new URL('answers.tsv', import.meta.url)))(
    '%s',
    async (path, key, tier) => {
      const { body } = await service.get(path, tier === null ? undefined : await service.issueKey(tier));
      expect(service.shapeOf(key).safeParse(body).error).toBeUndefined();
    },
  );

  it.each(['/api/v1/search?kind=outlat&pagee=2', '/api/v1/export?format=lemlist', '/api/v1/me'])('%s', async (path) => {
    const { body } = await service.get(path);
    expect(problemAnswer(plans).safeParse(body).error).toBeUndefined();
  });

  it('checkout and order, before and after the key is claimed', async () => {
    const bought = await service.post('/api/v1/checkout').send({ tier: 'pro' });
    expect(service.shapeOf('POST /api/v1/checkout').safeParse(bought.body).error).toBeUndefined();
    const { order_id, claim_token } = bought.body;
    const read = () => service.get(`/api/v1/orders/${order_id}?claim_token=${claim_token}`);
    for (const hasKey of [false, true, false]) {
      if (hasKey) await service.post(`/sandbox/${order_id}/pay`);
      const { body } = await read();
      expect(service.shapeOf('GET /api/v1/orders/:id').safeParse(body).error).toBeUndefined();
      expect('api_key' in body).toBe(hasKey);
    }
  });

  it("and a record's keys in the order of the registry", () => {
    expect(Object.keys(recordAnswer.shape)).toEqual(fields.map(({ key }) => key));
  });
});

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('the API reference', () => {
  it('has every operation, parameter and error of the document, in the page itself', async () => {
    const { text } = await service.get('/docs');
    const document = await getDocument();
    for (const [path, operations] of Object.entries(document.paths)) {
      expect(text, path).toContain(path);
      for (const { operationId = '', parameters = [] } of Object.values(operations)) {
        expect(text).toContain(`<h3 id="${operationId}">`);
        for (const { name } of parameters) expect(text, name).toContain(`<code>${name}</code>`);
        if (!/^(?:export|readFeed)$/.test(operationId)) expect(text).toContain(`import ${toSnakeCase(operationId)}\n`);
      }
    }
    expect(text).toContain("await masthead.api.GET('/api/v1/search'");
    for (const [, target = ''] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${target}"`);
    const { text: errors } = await service.get('/docs/errors');
    for (const code of Object.keys(problems)) expect(errors).toContain(`<h2 id="${code}">`);
  });
});
