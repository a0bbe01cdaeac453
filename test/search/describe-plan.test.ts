import { expect, it } from 'vitest';
import type { Condition } from '#search/conditions/conditions.ts';
import { besideText, describe, describeText } from '#search/plans/describe-plan.ts';
import { understand } from '#search/understanding/understand.ts';

const word = (text: string, others: Partial<Extract<Condition, { is: 'word' }>> = {}): Condition => {
  return { is: 'word', word: text, unfinished: false, edits: 0, in: 'names', ...others };
};

it.each<[Condition, string]>([
  [word('radio'), 'radio in names'],
  [word('weath', { unfinished: true, edits: 1, in: 'traits' }), 'weath…~1 in traits'],
  [{ is: 'phrase', words: ['new', 'york'], in: 'anywhere' }, '"new york" in anywhere'],
  [{ is: 'concept', concept: 'type.radio' }, 'type.radio'],
  [{ is: 'host', hosts: ['bbc.co.uk', 'co.uk'], edits: 1 }, 'host bbc.co.uk or co.uk~1'],
  [{ is: 'page', page: { host: 'bbc.co.uk', path: '/news' }, standing: 'at' }, 'page bbc.co.uk/news'],
  [{ is: 'name', form: 'compact', keys: ['elpais'], edits: 2 }, 'compact name elpais~2'],
  [{ is: 'nameBeginning', key: 'el p' }, 'name el p…'],
  [{ is: 'address', token: '_asecret' }, 'an address'],
  [{ is: 'all', of: [word('a'), { is: 'any', of: [word('b'), word('c')] }] }, 'a in names & (b or c in names)'],
  [{ is: 'any', of: [word('a'), word('b', { in: 'people' })] }, 'a in names | b in people'],
  [{ is: 'any', of: [word('weeklies'), word('ʳweekli'), word('weekli'), word('c')] }, 'weeklies+ or c in names'],
  [{ is: 'any', of: [word('a'), word('a', { edits: 1 }), { is: 'any', of: [word('b')] }] }, 'a~1 or b in names'],
  [{ is: 'any', of: ['a', 'b', 'c', 'd'].map((one) => ({ is: 'concept', concept: `city.gb.${one}` })) }, 'city.gb.*4'],
  [{ is: 'all', of: [word('a'), word('a')] }, 'a in names'],
  [{ is: 'any', of: [] }, 'nothing'],
  [{ is: 'atLeast', count: 1, of: [word('a'), word('b')] }, '1 of (a in names, b in names)'],
])('%j is described as %s', (condition, text) => expect(describe(condition)).toBe(text));

it('says typed neighbors that may be one word as such', () => {
  const [weather, cock, weathercock] = ['weather', 'cock', 'weathercock'].map((one) => word(one));
  const of = [weather, weathercock, cock].filter((one) => one !== undefined);
  expect(describe({ is: 'any', of }, besideText({ typedWords: ['weather', 'cock'] }))).toBe(
    'weather or cock in names | joined',
  );
});

it.each([
  ['radio in turkey', ['radio: type.radio', 'turkey: country.tr', 'in: ignored']],
  [
    '"new york" bbc.co.uk -sports',
    ['"new york": a phrase', 'bbc.co.uk: a host', 'sports: excluded, also topic.sports'],
  ],
  ['newspapers -daily', ['newspapers: type.newspaper', 'daily: excluded, also frequency.daily']],
  ['lgbt maga', ['lgbt: same.gay', 'maga: a word that may begin type.magazine']],
  ['tv and radio -radio', ['tv and radio: type.tv or type.radio', 'radio: excluded, also type.radio']],
  ['-bbc.co.uk', ['bbc.co.uk: an excluded host']],
  [
    'quali sono i radio',
    ['quali sono: kind.newsletter or kind.outlet or kind.podcast', 'radio: type.radio', 'i: ignored'],
  ],
])('%s is understood as %j', (query, lines) => {
  const text = understand(query);
  expect(text && describeText(text)).toEqual(lines);
});
