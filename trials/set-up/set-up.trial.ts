import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useFolder } from '../../test/support/use.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The path of a Node that is too old for Masthead, if npm runs on one. Only such a machine can test what happens then. */
const oldNodes = [process.env.npm_node_execpath].filter(
  (node) => node && Number.parseInt(execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10) < 24,
) as string[];

const marker = 'node_modules/.masthead-set-up.json';
const lock = '.set-up-lock';

/*
 * Tests the setup that runs before every npm script, with the real npm. The small project has one package to run, one for
 * development and an optional one. All are files in the project, so that no test needs a network.
 */
describe.skipIf(process.platform === 'win32')('scripts/setup.mjs', () => {
  const parent = useFolder();
  let template: string;
  let project: string;
  let env: NodeJS.ProcessEnv;
  let count = 0;
  const processes = new Set<ChildProcess>();

  const npm = (args: string[], cwd = project) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env });
  const has = (path: string) => existsSync(join(project, path));
  /** Which of the packages are installed. */
  const installed = (...names: string[]) => names.filter((name) => has(`node_modules/${name}`));
  const readMarker = async () => JSON.parse(await readFile(join(project, marker), 'utf8'));

  async function setUp(scope: 'runtime' | 'all', node = process.execPath) {
    const child = spawn(node, ['scripts/setup.mjs', scope], { cwd: project, env, detached: true });
    processes.add(child);
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    processes.delete(child);
    return { code, stdout, stderr };
  }

  /** A package as a file in the project. */
  async function pack(folder: string, manifest: { name: string; version: string }, files: Record<string, string> = {}) {
    const staging = join(parent, 'staging', manifest.name, 'package');
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
    const written = { 'package.json': JSON.stringify(manifest), ...files };
    for (const [path, content] of Object.entries(written))
      await writeFile(join(staging, path), content, { mode: 0o755 });
    await mkdir(join(folder, 'packages'), { recursive: true });
    await run('tar', ['czf', join(folder, 'packages', `${manifest.name}.tgz`), '-C', dirname(staging), 'package']);
  }

  beforeAll(async () => {
    template = join(parent, 'template');
    const { PATH = '', HOME } = process.env;
    // Without variables of the npm that runs the tests, and without the programs of this project.
    const path = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'));
    env = { PATH: path.join(delimiter), HOME, npm_config_cache: join(parent, 'cache') };
    const installed = { 'index.js': 'module.exports = 1;\n' };
    const scripts = { postinstall: 'touch "$INIT_CWD/script-was-run"' };
    await pack(template, { name: 'needed', version: '1.0.0', ...{ scripts } }, installed);
    await pack(template, { name: 'tool', version: '1.0.0' }, installed);
    const ownNode = { name: 'own-node', version: '1.0.0', ...{ bin: { node: 'node' } } };
    await pack(template, ownNode, { node: `#!/bin/sh\nexec "${process.execPath}" "$@"\n` });
    await cp(join(root, 'scripts'), join(template, 'scripts'), { recursive: true });
    const manifest = {
      name: 'small',
      version: '1.0.0',
      scripts: { prego: 'node scripts/setup.mjs runtime', go: 'node -p 6*7' },
      dependencies: { needed: 'file:packages/needed.tgz' },
      devDependencies: { tool: 'file:packages/tool.tgz' },
      optionalDependencies: { 'own-node': 'file:packages/own-node.tgz' },
    };
    await writeFile(join(template, 'package.json'), JSON.stringify(manifest));
    await npm(['install', '--package-lock-only'], template);
  });

  beforeEach(async () => {
    count += 1;
    project = join(parent, `project-${count}`);
    await cp(template, project, { recursive: true });
  });
  afterEach(() => {
    for (const { pid } of processes) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  });

  it('installs for the service only what it runs and runs no script of it, and adds the rest for tests without a second installation', async () => {
    expect(await setUp('runtime')).toMatchObject({ code: 0, stdout: '' });
    expect(installed('needed', 'tool', 'own-node')).toEqual(['needed']);
    expect(has('script-was-run')).toBe(false);
    const before = await stat(join(project, 'node_modules/needed/index.js'));
    expect(await setUp('all')).toMatchObject({ code: 0, stdout: '' });
    expect(has('node_modules/tool')).toBe(true);
    expect((await stat(join(project, 'node_modules/needed/index.js'))).ino).toBe(before.ino);

    // What is installed stays, and npm does not run again.
    expect(await setUp('runtime')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(has('node_modules/tool')).toBe(true);
    expect(await setUp('all')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('leaves standard output to the command, even the first time', async () => {
    const first = await run('npm', ['run', '-s', 'go'], {
      cwd: project,
      env: { ...env, PATH: `${dirname(process.execPath)}${delimiter}${env.PATH}` },
    });
    expect(first.stdout).toBe('42\n');
    expect(first.stderr).toContain('masthead: installing dependencies');
  });

  it('starts over after an installation that was killed', async () => {
    const killed = setUp('all');
    await expect.poll(() => has(marker), { interval: 5 }).toBe(true);
    for (const { pid } of processes) process.kill(-(pid ?? 0), 'SIGKILL');
    expect((await killed).code).toBeNull();
    expect(await setUp('all')).toMatchObject({ code: 0, stderr: expect.stringContaining('installing') });
    expect(has('node_modules/tool/index.js')).toBe(true);

    // The state in which npm leaves it if it is killed while it adds packages.
    await writeFile(join(project, marker), JSON.stringify({ ...(await readMarker()), isUnderWay: true }));
    await rm(join(project, 'node_modules/needed/index.js'));
    await setUp('runtime');
    expect(has('node_modules/needed/index.js')).toBe(true);
    expect(await readMarker()).not.toHaveProperty('isUnderWay');
  });

  it.each(['nobody', 'a setup that was killed'])(
    'lets one of several install after %s, and the others wait',
    async (holder) => {
      if (holder !== 'nobody') {
        const dead = spawn('true');
        await once(dead, 'close');
        await writeFile(join(project, lock), String(dead.pid));
      }
      const ended = await Promise.all([setUp('runtime'), setUp('runtime'), setUp('runtime')]);
      expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(ended.filter(({ stderr }) => stderr.includes('installing'))).toHaveLength(1);
      expect(has('node_modules/needed/index.js')).toBe(true);
      expect((await readdir(project)).filter((name) => name.startsWith(lock))).toEqual([]);
    },
  );

  it('accepts what npm installed by hand, and adds what is missing', async () => {
    await npm(['ci', '--omit=dev', '--ignore-scripts']);
    expect(await setUp('runtime')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await setUp('all')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('installing') });
    expect(has('node_modules/tool/index.js')).toBe(true);

    await rm(join(project, 'node_modules'), { recursive: true });
    await npm(['ci', '--ignore-scripts']);
    expect(await setUp('runtime')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await setUp('all')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('installs what runs if the folder of a workspace is missing, as in the image', async () => {
    const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
    await writeFile(join(project, 'package.json'), JSON.stringify({ ...manifest, workspaces: ['side'] }));
    await mkdir(join(project, 'side'));
    await writeFile(join(project, 'side/package.json'), JSON.stringify({ name: 'side', version: '1.0.0' }));
    await npm(['install', '--package-lock-only']);
    const whole = `${project}-whole`;
    await cp(project, whole, { recursive: true });
    await rm(join(project, 'side'), { recursive: true });
    expect(await setUp('runtime')).toMatchObject({ code: 0, stdout: '' });
    expect(installed('needed', 'tool', 'side')).toEqual(['needed']);
    await rm(join(project, marker));
    expect(await setUp('runtime')).toEqual({ code: 0, stdout: '', stderr: '' });

    project = whole;
    expect(await setUp('all')).toMatchObject({ code: 0, stdout: '' });
    expect(has('node_modules/side/package.json')).toBe(true);
    await rm(join(project, marker));
    expect(await setUp('all')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('follows a change of the lockfile, and keeps what is installed', async () => {
    await setUp('all');
    const toolBefore = await stat(join(project, 'node_modules/tool/index.js'));
    await pack(project, { name: 'needed', version: '2.0.0' }, { 'index.js': 'module.exports = 2;\n' });
    await rm(join(project, 'package-lock.json'));
    await cp(project, `${project}-new`, { recursive: true, filter: (path) => !path.includes('node_modules') });
    await npm(['install', '--package-lock-only'], `${project}-new`);
    await cp(join(`${project}-new`, 'package-lock.json'), join(project, 'package-lock.json'));
    const lockfile = await readFile(join(project, 'package-lock.json'), 'utf8');

    expect(await setUp('runtime')).toMatchObject({ code: 0, stderr: expect.stringContaining('installing') });
    expect(await readFile(join(project, 'node_modules/needed/index.js'), 'utf8')).toContain('2');
    expect((await stat(join(project, 'node_modules/tool/index.js'))).ino).toBe(toolBefore.ino);
    expect(await readFile(join(project, 'package-lock.json'), 'utf8')).toBe(lockfile);
    expect(await setUp('all')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('reports that npm failed, exits with 1, and tries again the next time', async () => {
    await rm(join(project, 'packages/needed.tgz'));
    await rm(join(parent, 'cache'), { recursive: true });
    const failed = await setUp('runtime');
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/masthead: npm ci failed/) });
    await cp(join(template, 'packages'), join(project, 'packages'), { recursive: true });
    expect(await setUp('runtime')).toMatchObject({ code: 0 });
  });

  it.each(oldNodes)('installs its own Node if %s is too old, and keeps it', async (node) => {
    expect(await setUp('runtime', node)).toMatchObject({ code: 0, stdout: '' });
    expect(has('node_modules/.bin/node')).toBe(true);
    expect(has('node_modules/tool')).toBe(false);
    // From now on, scripts use that Node. Installing more packages does not remove it.
    const bundled = join(project, 'node_modules/.bin/node');
    expect(await setUp('runtime', bundled)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await setUp('all', bundled)).toMatchObject({ code: 0 });
    expect(has('node_modules/.bin/node')).toBe(true);
  });
});
