import { bestFirst, type KeptContact } from '#records/contacts/contact.ts';
import type { Candidate, DuplicateGroup } from '#records/duplicates/compare-media.ts';
import type { RecordStore } from '#records/record-store.ts';
import { withoutSuppressed } from '#records/suppression.ts';
import { describeValue } from './change-sets.ts';

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
    const kept = await contactsOf(keep);
    const known = new Set(addressesOf(kept));
    const dropped = drop.map(async ({ record, against, ...duplicate }) => {
      const contacts = await contactsOf(record);
      const isLacking = addressesOf(contacts).some((address) => !known.has(address));
      return {
        ...duplicate,
        record: shown(record, contacts),
        against: isLacking ? [...against, otherAddress] : against,
      };
    });
    yield { keep: shown(keep, kept), drop: await Promise.all(dropped) };
  }
}

function shown(member: Candidate, contacts: readonly KeptContact[]): ShownMember {
  return { ...member, contacts: bestFirst(contacts).map(describeValue) };
}

function addressesOf(contacts: readonly KeptContact[]): string[] {
  return contacts.flatMap(({ email }) => email?.toLowerCase() ?? []);
}
