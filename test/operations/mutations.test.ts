import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const mutations: { promise: string; from: string; noticedBy: string }[] = JSON.parse(
  read('trials/mutations/mutations.json'),
);

it('trials/mutations/ names tests that exist', () => {
  expect(mutations.filter(({ noticedBy }) => !existsSync(join(root, noticedBy)))).toEqual([]);
});

it('trials/mutations/ changes what is in the code, each in one place', () => {
  const code = globSync('{src,indexer,admin}/**/*.{ts,js}', { cwd: root }).map(read);
  const places = ({ from }: { from: string }) => code.reduce((sum, text) => sum + text.split(from).length - 1, 0);
  expect(mutations.filter((mutation) => places(mutation) !== 1).map(({ promise }) => promise)).toEqual([]);
});
