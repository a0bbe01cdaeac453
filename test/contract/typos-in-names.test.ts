import { describe, expect, it } from 'vitest';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

/** Of each two, the smaller one is meant. */
const records = [
  madeRecord({ id: 'one-typo', name: 'Radio Varska', type: 'radio', audience: 10 }),
  madeRecord({ id: 'as-typed', name: 'Vartkana FM', type: 'radio', audience: 80_000 }),
  madeRecord({ id: 'a-word-more', name: 'Gorsel Evening Times', audience: 10 }),
  madeRecord({ id: 'another-typo', name: 'Gorsel Tides', audience: 70_000 }),
  madeRecord({ id: 'same-letters', name: 'Kofema', audience: 10 }),
  madeRecord({ id: 'other-letters', name: 'Kofumi', audience: 60_000 }),
];

describe.each(testBackends)('a mistyped name, $name', ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(records));

  async function ids(q: string): Promise<string[]> {
    const found = await backend.index.search({ text: understand(q), filters: [] }, firstPage(20), 'masked');
    return found.records.map(({ id }) => id);
  }

  it('with one typo comes before records that have what was typed in another name and as what they are', async () => {
    expect(await ids('radio vartka')).toEqual(['one-typo', 'as-typed']);
  });

  it('with one typo comes after a name that has all that was typed and one more word', async () => {
    expect(await ids('gorsel times')).toEqual(['a-word-more', 'another-typo']);
  });

  it('may have a second typo: in a short name, the same letters in another order come first', async () => {
    expect(await ids('kofame')).toEqual(['same-letters', 'other-letters']);
  });
});
