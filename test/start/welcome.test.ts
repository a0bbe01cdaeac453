import { expect, it } from 'vitest';
import { welcome } from '#src/start/welcome.ts';

const start = {
  url: 'http://127.0.0.1:3000',
  backend: 'MongoDB and Elasticsearch',
  loaded: 0,
  records: 1,
  commandPrefix: null,
};

it('a start on an empty database says how to fill it, a start on records does not', () => {
  expect(welcome({ ...start, records: 0 })).toMatch(/The store is empty\..*indexer -- import FILE/);
  expect(welcome({ ...start, records: 1 })).not.toContain('The store is empty');
  expect(welcome({ ...start, records: null })).not.toContain('The store is empty');
});

it('puts the prefix before every command it names, and nowhere else', () => {
  const text = welcome({ ...start, records: 0, loaded: 5_000, commandPrefix: 'docker compose exec api' });
  const commands = [...text.matchAll(/(.{0,24})npm run --silent (\w+)/g)];
  expect(commands).toHaveLength(5);
  for (const [, before] of commands) expect(before).toMatch(/docker compose exec api $/);
  expect(welcome(start)).toContain('KEY=$(npm run --silent admin -- keys issue');
});

it('ends with what commands need besides their prefix', () => {
  expect(welcome({ ...start, note: 'Set what this process has.' })).toMatch(/\n\nSet what this process has\.\n$/);
  expect(welcome(start)).toMatch(/has_email=1'\n$/);
});
