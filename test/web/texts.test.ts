import { describe, expect, it } from 'vitest';
import { fieldErrorCodes, problems } from '#domain/problem.ts';
import { languages } from '#web/render.js';

/** What a language says of errors. */
interface FaultTexts {
  byCode: Record<string, readonly [string, string]>;
  byError: Record<string, (given: string) => string>;
}

async function readTexts(language: string): Promise<FaultTexts> {
  const { text } = await import(new URL(`../../src/web/texts/${language}.js`, import.meta.url).href);
  return text.fault;
}

describe('the texts of the pages', () => {
  it.each(languages)('explain every error of the API in %s', async (language) => {
    const { byCode } = await readTexts(language);
    expect(Object.keys(problems).filter((code) => !Object.hasOwn(byCode, code))).toEqual([]);
  });

  // The messages of the API are English.
  it.each(languages.filter((language) => language !== 'en'))(
    'say what is wrong with each part of a request in %s',
    async (language) => {
      const { byError } = await readTexts(language);
      const said = fieldErrorCodes.map((code) => [code, byError[code]?.('"x"')]);
      expect(said.filter(([, text]) => text === undefined)).toEqual([]);
    },
  );
});
