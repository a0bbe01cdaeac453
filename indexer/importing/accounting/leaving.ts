import type { KeptContact } from '#records/contacts/contact.ts';
import { personKey } from '#records/contacts/same-person.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { listEmails } from '#records/normalize/normalize-email.ts';
import type { RecordStore } from '#records/record-store.ts';
import { hiddenContacts } from '#records/suppression.ts';
import { nameKey } from '#text/fold.ts';
import { hashText } from '#text/name-keys.ts';
import type { RowCells } from '../row.ts';
import { textsOf } from './file-account.ts';
import type { PeopleAccount } from './people-account.ts';

/** A list whose people are remembered as its own (`import --source`). */
export interface PeopleSource {
  name: string;
  /** Whether people at media that the list does not name have left, too. */
  isComplete: boolean;
}

const recordsAtOnce = 500;

/** Who stays because of rejected rows: everybody at their media; of a row without a medium, or of who wants no mail, whom it names. */
export class Doubts {
  /** Whether a row may be of anybody, because it could not be read. */
  areOfAnybody = false;
  readonly #keys = new Set<number>();

  /** @param key of the medium (see keyRows) */
  addMedium(key: number): void {
    this.#keys.add(key);
  }

  /** Adds the names and addresses in a row; a name may stand in two cells. */
  addPeople(cells: RowCells): void {
    const texts = textsOf(cells);
    for (const [place, text] of texts.entries()) {
      for (const name of [text, `${text} ${texts[place + 1] ?? ''}`])
        this.#keys.add(hashText(`person ${personKey(name)}`));
      for (const email of listEmails(text)) this.#keys.add(hashText(`person ${email.toLowerCase()}`));
    }
  }

  haveMedium({ id, name }: Pick<MediaRecord, 'id' | 'name'>): boolean {
    return this.#keys.has(hashText(`id ${id}`)) || this.#keys.has(hashText(nameKey(name)));
  }

  havePerson({ name, email }: Pick<KeptContact, 'name' | 'email'>): boolean {
    const keys = [name && personKey(name), email?.toLowerCase()].filter(Boolean);
    return keys.some((key) => this.#keys.has(hashText(`person ${key}`)));
  }
}

interface LeaveOptions {
  people: PeopleAccount;
  doubts: Doubts;
  /** The keys of all suppressions: who is hidden does not leave, because the rows of hidden people are not read. */
  suppressed: ReadonlySet<string>;
  changeSet: string | null;
}

/**
 * Takes away whom only this source named and no longer names (contract A18): at media that it names, and if it is complete, at
 * all others. Who is also of another source stays, and is no longer of this one. Without a change set it only counts.
 */
export async function letLeave(
  records: Pick<RecordStore, 'amend' | 'readAll'>,
  source: PeopleSource,
  { people, doubts, suppressed, changeSet }: LeaveOptions,
): Promise<number> {
  let changedCount = 0;
  const leaveAt = async (ids: readonly string[]) => {
    const amended = await records.amend(
      ids,
      (stored) => withoutLeaving(stored, source.name, { people, doubts, suppressed }),
      changeSet,
    );
    for (const { before, after } of amended) {
      if (before !== after) changedCount += 1;
      const staying = new Set(after.contacts.map(({ id }) => id));
      for (const contact of before.contacts) {
        if (!staying.has(contact.id)) people.leave({ recordId: before.id, medium: before.name, contact });
      }
    }
  };
  const named = [...people.named.keys()];
  for (let start = 0; start < named.length; start += recordsAtOnce) {
    await leaveAt(named.slice(start, start + recordsAtOnce));
  }
  if (!source.isComplete) return changedCount;
  for await (const page of records.readAll()) {
    const unnamedRecords = page.filter(
      ({ id, contacts }) => !people.named.has(id) && contacts.some((contact) => isOf(contact, source.name)),
    );
    if (unnamedRecords.length > 0) await leaveAt(unnamedRecords.map(({ id }) => id));
  }
  return changedCount;
}

function withoutLeaving(
  stored: MediaRecord,
  source: string,
  { people: { named }, doubts, suppressed }: Omit<LeaveOptions, 'changeSet'>,
): { contacts: KeptContact[] } | null {
  if (doubts.haveMedium(stored)) return null;
  const here = named.get(stored.id);
  const hidden = hiddenContacts(stored.id, stored.contacts, suppressed);
  const isGone = (contact: KeptContact) =>
    isOf(contact, source) && !here?.has(contact.id) && !hidden.has(contact) && !doubts.havePerson(contact);
  const goneContacts = stored.contacts.filter(isGone);
  if (goneContacts.length === 0) return null;
  return {
    contacts: stored.contacts.flatMap((contact) =>
      goneContacts.includes(contact) ? withoutSource(contact, source) : contact,
    ),
  };
}

function isOf({ sources = {} }: KeptContact, source: string): boolean {
  return Object.hasOwn(sources, source);
}

/** The contact of its other sources; none without any. */
function withoutSource(contact: KeptContact, source: string): KeptContact[] {
  const { [source]: _, ...otherSources } = contact.sources ?? {};
  return Object.keys(otherSources).length === 0 ? [] : [{ ...contact, sources: otherSources }];
}
