import { describe, expect, it } from 'vitest';
import { type FilterField, filterFields } from '#records/fields.ts';
import { everything, type Filter, firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { readMedia } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const records = readMedia(new URL('forms-of-values.media.tsv', import.meta.url));

/** What A17 says of region, city and language: found by each of their forms, counted by one. */
describe.each(testBackends)('forms of values, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(records));

  /** What a filter finds, alone and beside a text that finds everything. */
  async function found(key: FilterField, ...values: string[]): Promise<string[]> {
    const canonical = filterFields.find((field) => field.key === key)?.filter.canonical;
    const forms = (sign: boolean) =>
      values
        .filter((value) => value.startsWith('!') === sign)
        .map((value) => canonical?.(value.replace('!', '')) ?? '');
    const filters: Filter[] = [{ field: key, any: forms(false), none: forms(true) }];
    const idsOf = async (text: string | null) => {
      const page = { sort: { key: 'audience', reversed: false }, offset: 0, limit: 100 } as const;
      const query = { text: text === null ? null : understand(text), filters };
      return (await backend.index.search(query, page, 'masked')).records.map(({ id }) => id);
    };
    const ids = await idsOf(null);
    expect(await idsOf('outlet')).toEqual(ids);
    return ids;
  }

  it.each(['TX', 'us-tx', 'Tex.', 'Texas'])('finds a region by %s', async (region) => {
    expect(await found('region', region)).toEqual(['old', 'new']);
  });

  it('finds a region by its name in either language, and by a code only in its country', async () => {
    for (const region of ['Bayern', 'bavaria', 'DE-BY']) {
      expect(await found('region', region)).toEqual(['bavaria', 'bayern']);
    }
    expect(await found('region', 'BY')).toEqual(['other', 'bavaria', 'bayern']);
    expect(await found('region', '!Bayern', '!Texas')).toEqual(['munich', 'münchen', 'muenchen', 'other', 'silent']);
  });

  it.each(['München', 'Munich', 'muenchen'])('finds a city by %s', async (city) => {
    expect(await found('city', city)).toEqual(['munich', 'münchen', 'muenchen']);
    const { records } = await backend.index.search({ text: understand(city), filters: [] }, firstPage(100), 'masked');
    expect(records.map(({ id }) => id).toSorted()).toEqual(['muenchen', 'munich', 'münchen']);
  });

  it('finds a language by a broader one, and excludes it', async () => {
    expect(await found('language', 'zh')).toEqual(['münchen', 'muenchen', 'other']);
    expect(await found('language', 'zh-hant')).toEqual(['muenchen']);
    expect(await found('language', 'en', 'de')).toEqual(['old', 'new', 'munich']);
    expect(await found('language', '!zh')).toEqual(['old', 'new', 'munich', 'silent', 'bavaria', 'bayern']);
    expect(await found('language', 'zh', '!zh-Hans')).toEqual(['muenchen', 'other']);
  });

  it('counts the language that a record has', async () => {
    const { counts } = await backend.index.countFacets(everything);
    expect(counts.language.map(({ value }) => value)).toEqual(['de', 'en', 'en-US', 'zh', 'zh-Hans', 'zh-Hant-TW']);
  });
});
