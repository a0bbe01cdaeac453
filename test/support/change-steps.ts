import fc from 'fast-check';
import type { Finding } from '#indexer/records/assess-address.ts';
import type { RecordPatch } from '#records/media-record.ts';

/** A step of a sequence of commands; `cut` cuts it off somewhere. Ids are numbers, sets are counted from the last. */
export type ChangeStep =
  | { is: 'import'; rows: RecordPatch[]; cut: boolean }
  | { is: 'delete'; ids: string[]; cut: boolean }
  | { is: 'merge'; keep: string; drop: string; cut: boolean }
  | { is: 'check-emails'; finding: Finding; cut: boolean }
  | { is: 'undo'; back: number; cut: boolean };

const ids = ['1', '2', '3', '4'] as const;
const id = fc.constantFrom(...ids);
/** Few values, so that steps often meet: the same value again, another one, none. */
const some = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: null });

/** Rows as the normalizer leaves them. */
const row: fc.Arbitrary<RecordPatch> = fc
  .record(
    {
      name: fc.constantFrom('The Herald', 'The Post'),
      aliases: fc.constantFrom<string[][]>([], ['Herald'], ['Herald', 'Post']),
      country: some('GB', 'US', 'FR'),
      region: some('England', 'Ohio'),
      city: some('Leeds', 'York', 'Cleveland', 'Paris'),
      city_size: some('mega' as const),
      phone: some('+44 113 000', '+1 555 0100'),
      email: some('desk@herald.example', 'news@post.example'),
      email_status: some('valid' as const, 'invalid' as const),
      last_verified_at: some('2026-03-01T00:00:00.000Z'),
      type: some('radio' as const, 'newspaper' as const),
      updated_at: fc.constant('2026-05-01T00:00:00.000Z'),
    },
    { requiredKeys: [] },
  )
  .chain((fields) =>
    fc.tuple(id, fc.constantFrom('outlet' as const, 'outlet' as const, 'podcast' as const, null)).map(([own, kind]) => {
      const { type, ...rest } = fields;
      if (kind === null) return { id: own, ...rest };
      const typed = kind === 'outlet' ? type : null;
      return { id: own, kind, name: 'The Times', ...rest, ...(typed !== undefined && { type: typed }) };
    }),
  );

/** One of eight steps is cut off. */
const cut = fc.integer({ min: 0, max: 7 }).map((number) => number === 0);

const step: fc.Arbitrary<ChangeStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('import'), rows: fc.array(row, { minLength: 1, maxLength: 6 }), cut }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('delete'), ids: fc.array(id, { minLength: 1, maxLength: 2 }), cut }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('merge'), keep: id, drop: id, cut }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('check-emails'),
      finding: fc.constantFrom('takes_mail', 'webmail', 'disposable', 'no_such_domain', 'unknown'),
      cut,
    }),
  },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('undo'), back: fc.integer({ min: 0, max: 6 }), cut }) },
) as fc.Arbitrary<ChangeStep>;

/** Sequences of steps; with only some kinds of them if `kinds` says so. */
export function changeSteps(
  kinds: readonly ChangeStep['is'][] = ['import', 'delete', 'merge', 'check-emails', 'undo'],
) {
  const kept = step.filter(({ is }) => kinds.includes(is));
  return fc.array(kept, { minLength: 2, maxLength: 12 });
}
