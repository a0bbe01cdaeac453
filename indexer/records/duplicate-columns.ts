import { otherName } from '#records/duplicates/compare-media.ts';
import { type Columns, toText } from '#src/encodings/columns.ts';
import { guardFormula } from '#src/encodings/formulas.ts';
import { otherAddress, type ShownGroup, type ShownMember } from './duplicate-contacts.ts';

/** A row for a record of a group of duplicates: what to do with it, and why. */
export interface DuplicateRow {
  /** The number of its group, from 1. */
  group: number;
  /** Empty: a person must decide. Until then, the record stays as it is. */
  action: 'keep' | 'drop' | '';
  record: ShownMember;
  score: number | null;
  reasons: readonly string[];
  against: readonly string[];
  /** The id of the record that it resembles. */
  like: string | null;
}

/** The rows of a group, the record to keep first. */
export function rowsOfGroup({ keep, drop }: ShownGroup, group: number): DuplicateRow[] {
  return [
    { group, action: 'keep', record: keep, score: null, reasons: [], against: [], like: null },
    ...drop.map((duplicate): DuplicateRow => ({ group, action: actionFor(duplicate), ...duplicate })),
  ];
}

/** Records with other names or addresses may be two media, such as colleagues in lists of people: a person must decide. */
export function actionFor({ against }: Pick<DuplicateRow, 'against'>): 'drop' | '' {
  return against.includes(otherName) || against.includes(otherAddress) ? '' : 'drop';
}

const columns: readonly [heading: string, value: (row: DuplicateRow) => Parameters<typeof toText>[0]][] = [
  ['group', ({ group }) => group],
  ['action', ({ action }) => action],
  ['id', ({ record }) => record.id],
  ['name', ({ record }) => record.name],
  ['city', ({ record }) => record.city],
  ['country', ({ record }) => record.country],
  ['url', ({ record }) => record.url],
  ['contacts', ({ record }) => record.contacts.join(' | ')],
  ['fields', ({ record }) => record.fields],
  ['last_verified_at', ({ record }) => record.last_verified_at],
  ['score', ({ score }) => score],
  ['like', ({ like }) => like],
  ['reasons', ({ reasons }) => reasons.join('; ')],
  ['against', ({ against }) => against.join('; ')],
];

/** The file that `duplicates --output` writes and `merge --from` reads. */
export const duplicateColumns: Columns<DuplicateRow> = {
  headings: columns.map(([heading]) => heading),
  toCells: (row) => columns.map(([, value]) => guardFormula(toText(value(row)))),
};
