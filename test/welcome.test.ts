import { expect, it } from 'vitest';
import { welcome } from '#src/welcome.ts';

it('a start on an empty database says how to fill it, one on records does not', () => {
  const start = { url: 'http://127.0.0.1:3000', backend: 'MongoDB and Elasticsearch', loaded: 0 };
  expect(welcome({ ...start, records: 0 })).toMatch(/nothing to find yet.*indexer -- import FILE/);
  expect(welcome({ ...start, records: 1 })).not.toContain('nothing to find');
  expect(welcome({ ...start, records: null })).not.toContain('nothing to find');
});
