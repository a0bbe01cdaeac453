import { describe, expect, it } from 'vitest';
import { fewContactsOf } from '#search/few-contacts.ts';
import { understand } from '#search/understanding/understand.ts';
import { readCases } from '#testing/cases.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useService } from './test-service.ts';

const daily = madeRecord({
  id: 'daily',
  name: 'The Harbour Daily',
  city: 'Leeds',
  country: 'GB',
  url: 'https://harbour-daily.example/',
  contacts: [
    madeContact({ id: 'bob', name: 'Bob Roe', title: 'Editor', email: 'bob@harbour-daily.example' }),
    madeContact({ id: 'cem', name: 'Cem Poe', title: 'News editor', email: 'cem@harbour-daily.example' }),
    madeContact({ id: 'dee', name: 'Dee Low', title: 'Reporter', email: 'dee@harbour-daily.example' }),
    madeContact({ id: 'eve', name: 'Eve Marchand', title: 'Harbour reporter', beats: ['Fishing'] }),
    madeContact({ id: 'desk', title: 'Picture desk', email: 'pictures@harbour-daily.example' }),
  ],
});

describe('the three contacts of a record among others', () => {
  const { service, keys } = useService([daily, madeRecord({ id: 'other', country: 'IE' })]);
  const idsOf = ({ contacts }: { contacts: { id: string }[] }) => contacts.map(({ id }) => id);

  it('are first those that the text means, in search', async () => {
    const { body } = await service.get('/api/v1/search?country=GB&q=eve+marchand').expect(200);
    expect(body.results.map(idsOf)).toEqual([['eve', 'bob', 'cem']]);
    expect(body.results[0]).toMatchObject({ contact_name: 'Bob Roe', contact_count: 5 });
  });

  it('are first the one whose address is looked up, for callers who see addresses', async () => {
    const lookUp = async (key?: string) => {
      const body = { emails: ['Pictures@harbour-daily.example'] };
      const answer = await service.post('/api/v1/records/lookup', key).send(body).expect(200);
      return answer.body.results.map(({ record }: { record: Parameters<typeof idsOf>[0] }) => idsOf(record));
    };
    expect(await lookUp(keys.pro)).toEqual([['desk', 'bob', 'cem']]);
    expect(await lookUp()).toEqual([['bob', 'cem', 'dee']]);
  });

  it.each(readCases<[what: string, typed: string, ids: string[]]>(new URL('few-contacts.tsv', import.meta.url)))(
    'are %s',
    (_, typed, ids) => {
      expect(fewContactsOf(daily, { text: understand(typed) }).map(({ id }) => id)).toEqual(ids);
    },
  );
});
