import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, runService } from '../../../test/http/run-service.ts';
import { openEmbeddedForTest, type TestBackend } from '../../../test/support/backends.ts';
import { type ClientProject, installClient } from '../../../test/support/clients.ts';
import { readCodeBlocks } from '../../../test/support/documents.ts';
import { media } from '../../../test/support/made-record.ts';

/** A program in CommonJS. */
const required = `import masthead = require('masthead-client');
import node = require('masthead-client/node');
const { search }: masthead.Masthead = masthead.createMasthead({ baseUrl: process.env.MASTHEAD_URL ?? '' });
search({ kind: ['podcast'] }).then(({ total }) => console.log(total, typeof node.saveExport));`;

const run = promisify(execFile);
const readme = new URL('../README.md', import.meta.url);
const oldestTypeScript = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

describe('the package masthead-client', () => {
  let project: ClientProject;
  let backend: TestBackend;
  let service: RunningService;
  let examples: string[];

  beforeAll(async () => {
    project = await installClient();
    const blocks = (await readCodeBlocks(readme)).filter(({ language }) => language === 'ts');
    examples = blocks.map((_, index) => `example-${index}.ts`);
    for (const [index, { code }] of blocks.entries())
      await writeFile(join(project.folder, `example-${index}.ts`), code);
    await writeFile(join(project.folder, 'required.cts'), required);
    backend = await openEmbeddedForTest();
    await backend.load(media);
    service = await runService(backend);
  });
  afterAll(async () => {
    await service.close();
    await backend.close();
    await project.remove();
  });

  it('contains compiled code and types, and nothing of the service or its tests', async () => {
    const files = await readdir(join(project.folder, 'node_modules/masthead-client'), { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'dist/index.js', 'dist/node.d.ts']));
    const isBuilt =
      /^(?:package\.json|README\.md|(?:dist\/)?openapi-fetch\.LICENSE|dist(?:\/cjs)?(?:\/package\.json|\/[\w-]+\.(?:js|d\.ts))?)$/;
    expect(files.filter((file) => !isBuilt.test(file))).toEqual([]);
  });

  it('has types with which every example of its README, and CommonJS, compile strictly', async () => {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    const target = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--outDir', 'compiled'];
    const args = [oldestTypeScript, ...strict, ...target, ...examples, 'required.cts'];
    const { stdout } = await run(process.execPath, args, { cwd: project.folder }).catch((failure) => failure);
    expect(stdout).toBe('');
    expect(examples.length).toBeGreaterThan(3);
  });

  it('is required by CommonJS', async () => {
    const env = { ...process.env, MASTHEAD_URL: service.url };
    const { stdout } = await run(process.execPath, ['compiled/required.cjs'], { cwd: project.folder, env });
    expect(stdout).toMatch(/^\d+ function\n$/);
  });

  it('runs every example of its README', async () => {
    const env = { ...process.env, MASTHEAD_URL: service.url, MASTHEAD_KEY: await service.issueKey('premium') };
    const outputs: string[] = [];
    for (const example of examples) {
      const { stdout } = await run(process.execPath, [example], { cwd: project.folder, env });
      outputs.push(stdout);
    }
    expect(outputs.every((output) => output !== '')).toBe(true);
    expect(outputs.join('')).toContain('Founders Afloat x@founders-afloat.example');
    expect(outputs.join('')).toMatch(/invalid_request 400 [\w-]+\n/);
    expect(await readFile(join(project.folder, 'outlets.csv'), 'utf8')).toContain('The Harbour Times');
  });
});
