import { bestFirst, type KeptContact } from '#records/contacts/contact.ts';
import { type Candidate, type DuplicateGroup, otherName } from '#records/duplicates/compare-media.ts';
import type { RecordStore } from '#records/record-store.ts';
import { withoutSuppressed } from '#records/suppression.ts';
import { type Columns, toText } from '#src/encodings/columns.ts';
import { guardFormula } from '#src/encodings/formulas.ts';
import { describeValue } from './change-sets.ts';

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

/** A record of a group as people see it: with its contacts, best first, who they are and how to reach them. */
export type ShownMember = Candidate & { contacts: string[] };
export type ShownGroup = DuplicateGroup<ShownMember>;

/** What speaks against dropping a record, even though a merge keeps the address. */
export const otherAddress = 'an address that the kept one lacks';

/** The groups with the contacts of their records, as the store has them now, without those that suppressions hide. */
export async function* withContacts(
  groups: readonly DuplicateGroup[],
  records: Pick<RecordStore, 'find'>,
  suppressed: ReadonlySet<string>,
): AsyncGenerator<ShownGroup> {
  const contactsOf = async ({ id }: Candidate): Promise<readonly KeptContact[]> => {
    const record = await records.find(id);
    return (record && withoutSuppressed(record, suppressed))?.contacts ?? [];
  };
  for (const { keep, drop } of groups) {
    const ofKept = await contactsOf(keep);
    const keptAddresses = new Set(addressesOf(ofKept));
    const members = drop.map(async ({ record, against, ...duplicate }) => {
      const contacts = await contactsOf(record);
      const isLacking = addressesOf(contacts).some((address) => !keptAddresses.has(address));
      return {
        ...duplicate,
        record: showMember(record, contacts),
        against: isLacking ? [...against, otherAddress] : against,
      };
    });
    yield { keep: showMember(keep, ofKept), drop: await Promise.all(members) };
  }
}

function showMember(member: Candidate, contacts: readonly KeptContact[]): ShownMember {
  return { ...member, contacts: bestFirst(contacts).map(describeValue) };
}

function addressesOf(contacts: readonly KeptContact[]): string[] {
  return contacts.flatMap(({ email }) => email?.toLowerCase() ?? []);
}
