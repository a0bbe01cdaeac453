import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personKey } from '#records/contacts/same-person.ts';
import { testStores } from '#testing/backends.ts';
import { ofForm } from '#testing/form.ts';
import { hashText } from '#text/name-keys.ts';
import { ListImporter } from './list-importer.ts';

const headings = ['outlet', 'contact name', 'job title', 'email', 'phone', 'beat', 'twitter'] as const;
type Row = Record<(typeof headings)[number], string>;

const cell = (...values: string[]) => fc.constantFrom('', ...values);
const row: fc.Arbitrary<Row> = fc.record({
  outlet: fc.constantFrom('Daily A', 'Radio B'),
  'contact name': cell('Ann Miller', 'Miller, Ann', 'Robert Fox', 'Cem Three'),
  'job title': cell('Editor', 'News desk'),
  email: cell('ann@mail.example', 'fox@mail.example', 'press@daily.example', 'other@mail.example'),
  phone: cell('+44 20 7946 0001', '+44 20 7946 0002'),
  beat: cell('politics', 'sport'),
  twitter: cell('@daily', '@annmiller'),
});
const lists = fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 10 }), seed: fc.nat() });

function write(rows: readonly Row[]): string {
  const lines = rows.map((one) => headings.map((heading) => JSON.stringify(one[heading])).join());
  return `${[headings.join(), ...lines].join('\n')}\n`;
}

describe.each(testStores)('made lists of people, $name', ({ name, open }) => {
  it('go in whole: nobody is lost, there twice or mixed, in any order and over several files', async () => {
    const stores = await open();
    const importer = await ListImporter.open(stores);
    const contacts = async () =>
      (await importer.readAll()).flatMap((record) => record.contacts.map((one) => ({ medium: record.name, ...one })));
    /** Who is where. Other values may depend on the order of rows, because later ones win. */
    const who = async () =>
      (await contacts()).map((one) => [one.medium, personKey(one.name), one.email ?? ''].join()).toSorted();
    const check = fc.asyncProperty(lists, async ({ rows, seed }) => {
      await importer.clear();
      await importer.import(write(rows));
      const people = await who();
      expect(new Set(people.filter((one) => !one.endsWith(',,'))).size).toBe(
        people.filter((one) => !one.endsWith(',,')).length,
      );
      for (const one of rows.filter(({ email }) => email !== '')) {
        expect(people).toContain([one.outlet, personKey(one['contact name']), one.email].join());
      }
      for (const one of await contacts()) {
        const own = rows.filter(
          (said) => said.outlet === one.medium && personKey(said['contact name']) === personKey(one.name),
        );
        for (const [heading, value] of [
          ['job title', one.title],
          ['email', one.email],
          ['phone', one.phone],
        ] as const) {
          if (value !== null) expect(own.map((said) => said[heading])).toContain(value);
        }
      }
      const again = await importer.import(write(rows));
      expect(again.people).toMatchObject({ created: 0, updated: 0 });
      const shuffled = rows.toSorted((a, b) => hashText(`${seed}${write([a])}`) - hashText(`${seed}${write([b])}`));
      const middle = seed % (rows.length + 1);
      await importer.clear();
      await importer.import(write(shuffled.slice(0, middle)), write(shuffled.slice(middle)));
      expect(await who()).toEqual(people);
    });
    await fc.assert(check, { numRuns: ofForm(name === 'embedded' ? 25 : 5, 2_000) });
    await importer.close();
    await stores.close();
  }, 1_200_000);
});
