import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '#admin/create-admin.ts';
import { createIndexer } from '#indexer/create-indexer.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Each line of a code block, a line that ends with a backslash joined with the next; comments cut off. */
const lines = globSync(['*.md', 'docs/**/*.md', 'test/support/engines/README.md'], { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```\w*\n(.*?)^```/gms)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => ({ file, line: line.replace(/(^|\s)#.*$/, '').trim() })),
);
const commands = lines.filter(({ line }) => line !== '');
const starting = (program: RegExp) => commands.filter(({ line }) => program.test(line));

const programs = [
  ['indexer', await createIndexer()],
  ['admin', await createAdmin()],
] as const;

describe('the commands in the documents', () => {
  it('use npm scripts that exist', () => {
    const named = starting(/\bnpm run\b/).flatMap(({ file, line }) =>
      [...line.matchAll(/\bnpm run (?:-s |--silent )?([a-z:]*[a-z])/g)].map(([, script = '']) => ({ file, script })),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
  });

  it.each(programs)('for %s exist, with options that exist', (name, program) => {
    const found = starting(new RegExp(`\\b(?:npm run (?:-s )?${name} --|^masthead ${name}) `));
    expect(found.length).toBeGreaterThan(6);
    for (const { file, line } of found) {
      const [, words = ''] = new RegExp(`\\b${name} (?:-- )?([^|>)]*)`).exec(line) ?? [];
      const [first = '', second = ''] = words.split(' ');
      const group = program.commands.find((command) => command.name() === first);
      const command = group?.commands.find((child) => child.name() === second) ?? group;
      expect(command?.commands, `${file}: ${line}`).toEqual([]);
      for (const option of words.match(/(?<=\s)--[a-z-]+/g) ?? []) {
        expect(
          command?.options.map(({ long }) => long),
          `${file}: ${line}`,
        ).toContain(option);
      }
    }
  });

  it('silence npm where their output is stored or read', () => {
    const read = starting(/\bnpm run\b/).filter(({ line }) =>
      /npm run[^#]*(?:>|\||--json)|\$\(npm run|\| *npm run/.test(line),
    );
    expect(read.length).toBeGreaterThan(2);
    expect(read.filter(({ line }) => !line.includes('npm run -s '))).toEqual([]);
  });

  it('with curl save no file if the service refuses', () => {
    const saving = starting(/^curl\b/).filter(({ line }) => /\s-\w*[oO]|>|--output/.test(line));
    expect(saving.length).toBeGreaterThan(3);
    expect(saving.filter(({ line }) => !/\s-\w*f|--fail/.test(line))).toEqual([]);
  });

  it('name only files of the repository', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
    const ofOthers = ['claude_desktop_config.json', 'elasticsearch.yml'];
    const missing = globSync('{README,CONTRIBUTING,docs/*,docs/decisions/*}.md', { cwd: root }).flatMap((document) => {
      const text = readFileSync(join(root, document), 'utf8');
      const named = Array.from(
        text.matchAll(/`([\w.][\w./-]+\.(?:ts|js|json|mjs|sh|yml|tsv|md))`/g),
        ([, path = '']) => path,
      );
      const linked = Array.from(text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g), ([, path = '']) =>
        posix.join(posix.dirname(document), path),
      );
      const known = named.filter((path) => !ofOthers.includes(path)).map((path) => `/${path}`);
      return [
        ...known.filter((path) => !files.some((file) => `/${file}`.endsWith(path))),
        ...linked.filter((path) => !files.some((file) => file.startsWith(path))),
      ].map((path) => `${document}: ${path}`);
    });
    expect(missing).toEqual([]);
  });
});
