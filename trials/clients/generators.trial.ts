import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMasthead } from '../../clients/typescript/src/index.ts';
import { fetchOnce, runFetcher } from '../../test/support/engines/engine-cache.ts';
import { useFolder } from '../../test/support/use.ts';
import { fetchPythonPackages } from '../python-packages.ts';
import { type ServiceWithStandIns, startServiceWithStandIns } from '../service-with-stand-ins.ts';

/**
 * Makes clients with the generators that people use, from docs/openapi.json as it is, and calls the service with them. Needs
 * Java with Maven, Go and Python. Of Java, only compiling is tried. test/openapi/generators.test.ts has the rules that follow.
 */
const versions = {
  openapiGenerator: '7.14.0',
  oapiCodegen: 'v2.8.2',
  orval: '7.13.0',
  typescript: '5.9.3',
  openapiTypescript: '7.13.0',
};
const document = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const programs = fileURLToPath(new URL('generated', import.meta.url));

const runProgram = promisify(execFile);

/** Runs a command in a folder, and returns what it printed. Its error has the output. */
async function run(folder: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1_048_576 };
  return (await runProgram(command, [...args], options)).stdout;
}

const fetchJar = () =>
  fetchOnce(`openapi-generator-${versions.openapiGenerator}`, (folder) => {
    const artifact = `org.openapitools:openapi-generator-cli:${versions.openapiGenerator}`;
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
    return runFetcher('mvn', ['-q', plugin, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`], folder);
  });

const fetchNodePackages = () =>
  fetchOnce(`orval-${versions.orval}-${versions.openapiTypescript}`, (folder) => {
    const { orval, typescript, openapiTypescript } = versions;
    const wanted = [`orval@${orval}`, `typescript@${typescript}`, `openapi-typescript@${openapiTypescript}`];
    return runFetcher(
      'npm',
      ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...wanted],
      folder,
    );
  });

async function generate(language: 'java' | 'python', folder: string, options: readonly string[] = []) {
  const jar = join(await fetchJar(), `openapi-generator-cli-${versions.openapiGenerator}.jar`);
  await run(folder, 'java', ['-jar', jar, 'generate', '-g', language, '-i', document, '-o', folder, ...options]);
}

describe('a client made by', () => {
  const root = useFolder();
  let service: ServiceWithStandIns;
  let env: NodeJS.ProcessEnv;
  let seen: object;

  beforeAll(async () => {
    service = await startServiceWithStandIns({ records: 600, keyCount: 1 });
    env = { MASTHEAD_URL: service.url, MASTHEAD_KEY: service.keys[0] };
    const masthead = createMasthead({ baseUrl: service.url, apiKey: service.keys[0] ?? '' });
    const country = ['US', 'GB'];
    const page = await masthead.search({ kind: ['podcast', 'newsletter'], country, has_email: true });
    const [first] = page.results;
    const { total: counted } = await masthead.countFacets({ country });
    seen = { id: first?.id, found: page.total, counted, looked: [true, false], name: first?.name, lost: 404 };
  });
  afterAll(() => service?.close());

  const folderOf = async (name: string) => {
    const folder = join(root, name);
    await mkdir(folder);
    return folder;
  };
  const toSeen = (output: string) => expect(JSON.parse(output)).toEqual(seen);

  it('openapi-generator for Java compiles', async () => {
    const folder = await folderOf('java');
    await generate('java', folder, ['--library', 'native']);
    await run(folder, 'mvn', ['-q', 'compile']);
    expect(await readdir(join(folder, 'target/classes/org/openapitools/client/api'))).toContain('MediaApi.class');
  });

  it('openapi-generator for Python calls', async () => {
    const folder = await folderOf('python');
    await generate('python', folder);
    const wanted = ['-r', join(folder, 'requirements.txt')];
    const packages = await fetchPythonPackages(
      `openapi-generator-python-${versions.openapiGenerator}`,
      wanted,
      console.log,
    );
    const path = [folder, packages.env.PYTHONPATH].join(':');
    toSeen(await run(folder, packages.python, [join(programs, 'calls.py')], { ...env, PYTHONPATH: path }));
  });

  it('oapi-codegen for Go calls', async () => {
    const folder = await folderOf('go');
    await mkdir(join(folder, 'masthead'));
    const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${versions.oapiCodegen}`;
    const output = ['-generate', 'types,client', '-package', 'masthead', '-o', 'masthead/client.go', document];
    await run(folder, 'go', ['run', generator, ...output]);
    await cp(join(programs, 'calls.go'), join(folder, 'main.go'));
    await run(folder, 'go', ['mod', 'init', 'calls']);
    await run(folder, 'go', ['mod', 'tidy']);
    toSeen(await run(folder, 'go', ['run', '.'], env));
  });

  it('Orval for TypeScript calls', async () => {
    const folder = await folderOf('orval');
    const bin = join(await fetchNodePackages(), 'node_modules/.bin');
    await run(folder, join(bin, 'orval'), [
      '--input',
      document,
      '--output',
      join(folder, 'masthead.ts'),
      '--client',
      'fetch',
    ]);
    await cp(join(programs, 'calls.ts'), join(folder, 'calls.mts'));
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
    await run(folder, join(bin, 'tsc'), [...options, '--lib', 'es2023,dom', '--target', 'es2023', 'masthead.ts']);
    toSeen(await run(folder, 'node', ['calls.mts'], env));
  });

  it('openapi-typescript compiles', async () => {
    const folder = await folderOf('types');
    const bin = join(await fetchNodePackages(), 'node_modules/.bin');
    await run(folder, join(bin, 'openapi-typescript'), [document, '-o', 'types.ts']);
    await run(folder, join(bin, 'tsc'), ['--noEmit', '--strict', 'types.ts']);
    expect(await readFile(join(folder, 'types.ts'), 'utf8')).toContain('SearchPage: {');
  });
});
