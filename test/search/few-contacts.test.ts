import { expect, it } from 'vitest';
import { fewContactsOf } from '#search/few-contacts.ts';
import { understand } from '#search/understand.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';

const daily = madeRecord({
  id: 'daily',
  name: 'The Harbour Daily',
  contacts: [
    madeContact({ id: 'bob', name: 'Bob Roe', title: 'Editor', email: 'bob@harbour-daily.example' }),
    madeContact({ id: 'cem', name: 'Cem Poe', title: 'News editor', email: 'cem@harbour-daily.example' }),
    madeContact({ id: 'dee', name: 'Dee Low', title: 'Reporter', email: 'dee@harbour-daily.example' }),
    madeContact({ id: 'eve', name: 'Eve Marchand', title: 'Harbour reporter', beats: ['Fishing'] }),
    madeContact({ id: 'desk', title: 'Picture desk', email: 'pictures@harbour-daily.example' }),
  ],
});

it.each([
  ['the best, where nothing is typed', '', ['bob', 'cem', 'dee']],
  ['the best, where only the medium is named', 'the harbour daily', ['bob', 'cem', 'dee']],
  ['first the person who is named', 'Marchand, Eve', ['eve', 'bob', 'cem']],
  ['first her beside her medium', '"eve marchand" harbour daily', ['eve', 'bob', 'cem']],
  ['first her, with a name begun', 'harbour daily eve march', ['eve', 'bob', 'cem']],
  ['first her, with a slip', 'marchond harbour daily', ['eve', 'bob', 'cem']],
  ['not her, with a slip in a short name', 'evo', ['bob', 'cem', 'dee']],
  ['first the one with most words of a title', 'news editor of the harbour daily', ['cem', 'bob', 'dee']],
  ['first the one with a beat', 'fishing', ['eve', 'bob', 'cem']],
])('the three contacts of a record among others are %s', (_, typed, ids) => {
  expect(fewContactsOf(daily, { text: understand(typed) }).map(({ id }) => id)).toEqual(ids);
});
