import { expect, it } from 'vitest';
import { problems } from '#src/problem.ts';

it('the texts of the pages explain every error of the API', async () => {
  const { text } = await import(new URL('../../src/web/text.js', import.meta.url).href);
  const { byCode } = text.fault as { byCode: Record<string, readonly [string, string]> };
  expect(Object.keys(problems).filter((code) => !Object.hasOwn(byCode, code))).toEqual([]);
});
