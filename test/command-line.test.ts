import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAdmin } from '#admin/create-admin.ts';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { createIndexer } from '#indexer/create-indexer.ts';
import { madeCheckoutEvent, madeOrder } from '#testing/made-order.ts';
import { runCommand } from '#testing/processes.ts';
import { runHere } from '#testing/run-here.ts';
import { startDnsServer } from '#testing/stand-ins/dns-server.ts';
import { useFolder, useOne } from '#testing/use.ts';
import manifest from '../package.json' with { type: 'json' };

const programs = [
  { entry: 'indexer/main.ts', program: await createIndexer() },
  { entry: 'admin/main.ts', program: await createAdmin() },
];

/** Every command that does something, as typed after the program. */
const commands = programs.flatMap(({ entry, program }) =>
  leaves(program).map((command) => ({ entry, command, words: wordsOf(command) })),
);

function leaves(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}

/** Prints at the end which packages were loaded, as one line of JSON on standard error. */
const tellPackages = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, nextLoad) {
      const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name) packages.add(name);
      return nextLoad(url, context);
    },
  });
  process.on('exit', () => console.error(JSON.stringify([...packages])));
`)}`;

describe('the command lines', () => {
  const folder = useFolder();
  const dataDir = join(folder, 'data');
  let orderId: string;
  const dns = useOne(() => startDnsServer({}));
  const run = (entry: string, ...args: string[]) =>
    runHere([entry, ...args], { MASTHEAD_DATA_DIR: dataDir, DNS_SERVERS: dns.address });

  beforeAll(async () => {
    await writeFile(join(folder, 'records.csv'), 'id,kind,name\n1,outlet,One\n2,outlet,Two\n');
    await writeFile(join(folder, 'bounces.csv'), 'Email Address,Status\nnobody@one.example,bounced\n');
    const store = openEmbedded(dataDir);
    const order = madeOrder();
    orderId = order.id;
    await store.orders.save(order);
    await store.orders.receive(madeCheckoutEvent(order, { payment: 'pi_1' }), new Date());
    await store.close();
  });

  it('have these commands and options', () => {
    expect(commands.map(({ entry, words }) => `${entry} ${words.join(' ')}`)).toMatchSnapshot();
  });

  it.each(programs)('$entry prints its help and its version', async ({ entry, program }) => {
    const help = await runCommand([entry, '--help'], {});
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const command of program.commands) expect(help.stdout).toContain(`  ${command.name()}`);
    expect(await runCommand([entry, '--version'], {})).toEqual({
      code: 0,
      stdout: `${manifest.version}\n`,
      stderr: '',
    });
  });

  it.each([
    ['indexer/main.ts', ['import', '--help'], ['commander'], ['mongodb', '@elastic/elasticsearch', 'express']],
    ['indexer/commands/import.ts', [], ['commander'], ['@e965/xlsx']],
    ['admin/main.ts', ['--help'], ['commander'], ['mongodb', '@elastic/elasticsearch', 'express']],
    ['src/main.ts', ['--help'], ['commander'], ['express', 'zod', 'mongodb']],
    ['src/app.ts', [], ['express'], ['@modelcontextprotocol/server', '@modelcontextprotocol/client']],
  ])('%s %j loads no package before it is needed', async (entry, args, loaded, others) => {
    const { stderr } = await runCommand(['--import', tellPackages, entry, ...args], {});
    const packages: string[] = JSON.parse(stderr);
    expect(packages).toEqual(expect.arrayContaining(loaded));
    expect(packages.filter((name) => others.includes(name))).toEqual([]);
  });

  it.each(commands)('$entry $words shows its help on a screen', async ({ entry, command, words }) => {
    const help = await run(entry, ...words, '--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain(`Usage: ${[command.parent && programOf(command), ...words].join(' ')}`);
    for (const { long } of command.options) expect(help.stdout).toContain(long);
    expect(help.stdout.split('\n').length).toBeLessThanOrEqual(25);
  });

  it.each(commands)('$entry $words exits with 2 and a hint on wrong usage', async ({ entry, command, words }) => {
    // Keys are named by their prefix.
    const needed = command.registeredArguments.map(() => (command.name() === 'revoke' ? 'mh_a' : '1'));
    const mandatory = command.options.flatMap(({ mandatory, long, argChoices }) =>
      mandatory ? [long ?? '', argChoices?.[0] ?? '1'] : [],
    );
    const { code, stdout, stderr } = await run(entry, ...words, ...needed, ...mandatory, '--jsn');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe("error: unknown option '--jsn'\n(Did you mean --json?)\nAdd --help to see the usage.\n");
  });

  it.each([
    ['indexer/main.ts', ['inport', 'a.csv'], /^error: unknown command 'inport'\n\(Did you mean import\?\)\n/],
    ['admin/main.ts', ['keys', 'lst'], /^error: unknown command 'lst'\n\(Did you mean list\?\)\n/],
    ['admin/main.ts', ['keys', 'issue', '--email', 'ada@'], /^error: required option '--tier <tier>' not specified\n/],
    ['admin/main.ts', ['audit', 'ada@example.org'], /^error: unknown option or argument \(not repeated/],
    ['indexer/main.ts', ['suppress'], /^error: there is nothing to suppress\. Give addresses, /],
    ['indexer/main.ts', ['suppress', '--domain', 'com'], /^error: nothing was changed:\n {2}--domain no. 1: /],
    [
      'indexer/main.ts',
      ['suppress', '--record', '1', '--reason', 'a\tb'],
      /^error: the reason contains control characters/,
    ],
  ])('%s %j exits with 2 and a few lines', async (entry, args, message) => {
    const { code, stdout, stderr } = await run(entry, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/\nAdd --help to see the usage\.\n$/);
    expect(stderr.split('\n').length).toBeLessThan(6);
  });

  it.each([
    [['--help'], 0, /^Usage: masthead \[options\]\n/, /^$/],
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['--port', '3001'], 2, /^$/, "error: unknown option '--port'\nAdd --help to see the usage.\n"],
    [['3001'], 2, /^$/, /^error: too many arguments/],
  ])('the service itself answers %j, and starts nothing', async (args, code, stdout, stderr) => {
    const ended = await runCommand(['src/main.ts', ...args], { MASTHEAD_DATA_DIR: dataDir });
    expect(ended).toEqual({ code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) });
  });

  it('all print their result as one line of JSON with --json', { timeout: 120_000 }, async () => {
    /** The arguments of those that need some, in the order in which they run; the others follow. */
    const given: Record<string, () => readonly string[]> = {
      // First, since the order of this store was made under no pepper yet.
      'pepper replace': () => [],
      import: () => [join(folder, 'records.csv')],
      bounces: () => [join(folder, 'bounces.csv')],
      show: () => ['1', '--query', 'x'],
      merge: () => ['1', '2'],
      export: () => [join(folder, 'exported.csv')],
      suppress: () => ['--record', '1'],
      unsuppress: () => ['--record', '1'],
      set: () => ['1', 'city=Leeds'],
      'imports show': () => [importId],
      'imports undo': () => [mergeId],
      delete: () => ['2'],
      sample: () => ['2'],
      'keys issue': () => ['--tier', 'pro', '--days', '1'],
      'keys revoke': () => ['mh_'.padEnd(4, key.charAt(3))],
      'orders show': () => [orderId],
      'orders reissue': () => [orderId],
      backup: () => [join(folder, 'copy')],
      bundle: () => [join(folder, 'bundle.json')],
    };
    let key = '';
    let importId = '';
    let mergeId = '';
    // Only engines have an earlier index (test/indexer/syncing/commands.trial.ts) and a copy to read in (test/contract/back-up-mongodb.test.ts).
    const onEngines = ['rollback', 'restore'];
    const names = commands.map(({ words }) => words.join(' ')).filter((name) => !onEngines.includes(name));
    for (const name of new Set([...Object.keys(given), ...names])) {
      const entry = commands.find(({ words }) => words.join(' ') === name)?.entry ?? '';
      const { code, stdout, stderr } = await run(entry, ...name.split(' '), ...(given[name]?.() ?? []), '--json');
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: '' });
      expect(stdout.match(/\n/g), name).toHaveLength(1);
      const outcome = JSON.parse(stdout);
      expect(outcome, name).toBeTypeOf('object');
      if (name === 'keys issue') key = outcome.key;
      if (name === 'import') importId = outcome.import_id;
      if (name === 'merge') mergeId = outcome.change_sets[0];
    }
  });

  it('say on standard error what they refuse, and print nothing on standard output', async () => {
    for (const [entry, ...args] of [
      ['admin/main.ts', 'keys', 'revoke', 'mh_00000000'],
      ['admin/main.ts', 'orders', 'show', 'ord_none'],
      ['admin/main.ts', 'orders', 'reissue', 'ord_none'],
      ['admin/main.ts', 'backup', dataDir],
      ['indexer/main.ts', 'rollback', '--to', 'none'],
      ['indexer/main.ts', 'show', 'of nobody'],
      ['indexer/main.ts', 'set', 'of nobody', 'city=Leeds'],
      ['indexer/main.ts', 'show', 'of nobody', '--history'],
      ['indexer/main.ts', 'imports', 'show', 'none'],
      ['indexer/main.ts', 'imports', 'undo', 'none'],
      ['indexer/main.ts', 'suppress', '--from', join(folder, 'none.txt')],
      ['indexer/main.ts', 'sample', '1', '--output', join(folder, 'none', 'sample.ndjson')],
    ] as const) {
      const { code, stdout, stderr } = await run(entry, ...args, '--json');
      expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' });
      expect(stderr, args.join(' ')).toMatch(/^masthead: .+\n$/);
    }
  });

  it('make no store where they only read or change one', async () => {
    const none = join(folder, 'nowhere');
    const args: Record<string, string[]> = {
      sample: ['1'],
      'keys issue': ['--tier', 'pro', '--days', '1'],
      import: [join(folder, 'records.csv')],
      bounces: [join(folder, 'bounces.csv')],
      suppress: ['--record', '1'],
      unsuppress: ['--record', '1'],
      'keys revoke': ['mh_1'],
      set: ['1', 'city=Leeds'],
      merge: ['1', '2'],
    };
    const makes = ['sample', 'keys issue', 'import', 'suppress', 'check'];
    const needsNone = ['bundle', 'restore'];
    const dry = await runHere(['indexer/main.ts', 'import', join(folder, 'records.csv'), '--dry-run', '--json'], {
      MASTHEAD_DATA_DIR: none,
    });
    expect(dry.code).toBe(0);
    expect(JSON.parse(dry.stdout)).toMatchObject({ read: 2, created: 2 });
    expect(existsSync(none)).toBe(false);
    for (const { entry, words, command } of commands) {
      const name = words.join(' ');
      if (makes.includes(name) || needsNone.includes(name)) continue;
      const given =
        args[name] ?? command.registeredArguments.filter(({ required }) => required).map(() => join(folder, 'x.csv'));
      const { code, stderr } = await runHere([entry, ...words, ...given], { MASTHEAD_DATA_DIR: none });
      expect({ code, stderr }, name).toEqual({
        code: 1,
        stderr: expect.stringMatching(/nowhere contains no store\. Set MASTHEAD_DATA_DIR/),
      });
      expect(existsSync(none), name).toBe(false);
    }
  });

  it('sample writes the same to the file of --output that it prints otherwise', async () => {
    const file = join(folder, 'sample.ndjson');
    const printed = await run('indexer/main.ts', 'sample', '20');
    await writeFile(file, 'what stood there before, and is longer than a sample'.repeat(10_000));
    const { code, stdout } = await run('indexer/main.ts', 'sample', '20', '--output', file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `20 records written to ${file}.\n` });
    expect(await readFile(file, 'utf8')).toBe(printed.stdout);
    const array = JSON.parse((await run('indexer/main.ts', 'sample', '20', '--json')).stdout);
    expect(array.map((record: object) => `${JSON.stringify(record)}\n`).join('')).toBe(printed.stdout);
    expect((await run('indexer/main.ts', 'sample', '0', '--json')).stdout).toBe('[]\n');
  });
});

function programOf(command: Command): string {
  return command.parent === null ? command.name() : programOf(command.parent);
}
