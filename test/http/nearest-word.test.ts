import { describe, expect, it } from 'vitest';
import { findNearestWord } from '#text/edit-distance.ts';

describe('the nearest word', () => {
  it.each([
    ['newspapr', ['newspaper', 'newsletter'], 'newspaper'],
    ['NEWSPAPER ', ['newspaper'], 'newspaper'],
    ['tvv', ['tv', 'radio'], 'tv'],
    ['Cote dIvoir', ['Côte d’Ivoire', 'Croatia'], 'Côte d’Ivoire'],
    ['xx', ['tv', 'us'], null],
    ['banana', ['newspaper', 'radio'], null],
    ['', ['a'], null],
    ['anything', [], null],
  ])('to %j among %j is %j', (word, candidates, nearest) => {
    expect(findNearestWord(word, candidates)).toBe(nearest);
  });
});
