import { describe, expect, it } from 'vitest';
import { emptyRecord } from '#records/fields.ts';
import { searchableText } from '#search/indexed/searchable-text.ts';
import { dimensions, embedRecord, embedText, type Meaning, unit } from '#search/meaning/embed.ts';
import { readCases } from '#testing/cases.ts';

function likeness(one: Meaning | null, other: Meaning | null): number {
  if (one === null || other === null) throw new Error('a text has no meaning');
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0) / unit ** 2;
}

describe('the meaning of a text', () => {
  it('is a unit vector of bytes', () => {
    const meaning = embedText('growing tomatoes on a balcony');
    expect(meaning).toHaveLength(dimensions);
    expect(likeness(meaning, meaning)).toBeCloseTo(1, 1);
  });

  it.each(readCases<[text: string, near: string, far: string]>(new URL('nearer.tsv', import.meta.url)))(
    '%j is nearer to %j than to %j',
    (text, near, far) => {
      expect(likeness(embedText(text), embedText(near))).toBeGreaterThan(
        likeness(embedText(text), embedText(far)) + 0.2,
      );
    },
  );

  it('is unknown where no word is', () => {
    expect(embedText('夜 zzqx')).toBeNull();
    const record = { ...emptyRecord('night', 'outlet', '夜'), description: '人民' };
    expect(embedRecord(record, searchableText(record))).toBeNull();
  });
});
