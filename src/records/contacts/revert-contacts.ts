import { type KeptContact, preferredOf, withPreferred } from './contact.ts';

type Contacts = readonly KeptContact[];

/** What an undo makes of contacts, and whether somebody changed one of them later, so that it stays. */
interface RevertedContacts {
  contacts: Contacts;
  isLeft: boolean;
}

/**
 * Undoes a change of contacts, one by one by their ids: a contact that is as the change left it becomes what it was before; one
 * that somebody changed later stays. Who is put first is a change of its own: it goes back only if this change made it.
 */
export function revertContacts(
  present: Contacts,
  { before, after }: { before: Contacts; after: Contacts },
): RevertedContacts {
  const [now, earlier, later] = [present, before, after].map(byId) as [ById, ById, ById];
  const back = new Map(now);
  const [preferred, preferredBefore, preferredAfter] = [present, before, after].map(preferredOf);
  const isPreferredSince = preferred !== preferredAfter;
  let isLeft = preferredBefore !== preferredAfter && isPreferredSince && preferred !== preferredBefore;
  for (const id of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, became, is] = [earlier.get(id), later.get(id), now.get(id)];
    if (isSame(was, became) || isSame(is, was)) continue;
    const wouldLose = was === undefined && isPreferredSince && preferred === id;
    if (!isSame(is, became) || wouldLose) isLeft = true;
    else if (was === undefined) back.delete(id);
    else back.set(id, was);
  }
  const first = preferredBefore !== preferredAfter && !isPreferredSince ? preferredBefore : preferred;
  return { contacts: withPreferred(inOrderOf(before, [...back.values()]), first ?? null), isLeft };
}

type ById = ReadonlyMap<string, KeptContact>;

function byId(contacts: Contacts): ById {
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

/** Whether both say the same, whoever is put first. */
function isSame(one: KeptContact | undefined, other: KeptContact | undefined): boolean {
  const [text, otherText] = [one, other].map((contact) => JSON.stringify({ ...contact, isPreferred: undefined }));
  return text === otherText;
}

/** Contacts that were there before in the order of then; those that came later stay behind them. */
function inOrderOf(before: Contacts, contacts: Contacts): Contacts {
  const places = new Map(before.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: KeptContact) => places.get(id) ?? before.length;
  return contacts.toSorted((a, b) => placeOf(a) - placeOf(b));
}
