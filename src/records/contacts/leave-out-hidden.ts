import type { MediaRecord, RecordPatch } from '../media-record.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import { followingKeys, hiddenContacts } from '../suppression.ts';
import type { ContactPatch, KeptContact } from './contact.ts';

interface VisiblePatch {
  /** The same object if suppressions hide nothing that it says. */
  patch: RecordPatch;
  /** How many of its rows are of hidden people. */
  suppressed: number;
  /** The stored contacts that suppressions hide. */
  hidden: ReadonlySet<KeptContact>;
  /** Keys of suppressions that follow from what it says of hidden people, each with the key that it follows from. */
  following: ReadonlyMap<string, string>;
}

/**
 * A patch for a record without the rows of hidden people, before rows are joined (contract A18). Hidden contacts that are stored
 * stay as they are. A row brings more of a hidden person: a name to her address, another address to her name.
 *
 * @param keys suppressions, at least all that hide something of the patch or the stored record
 */
export function leaveOutHidden(
  patch: RecordPatch,
  stored: MediaRecord | null,
  keys: ReadonlySet<string>,
): VisiblePatch {
  const { contacts = [], id } = patch;
  const rows = 'patches' in contacts ? contacts.patches : [];
  const storedContacts = stored?.contacts ?? [];
  const contactsAndRows = [...storedContacts, ...rows];
  const hiddenOnes = keys.size === 0 ? none : hiddenContacts<ContactPatch | KeptContact>(id, contactsAndRows, keys);
  if (hiddenOnes.size === 0) return { patch, suppressed: 0, hidden: none, following: new Map() };
  const hidden = new Set(storedContacts.filter((contact) => hiddenOnes.has(contact)));
  const following = followingKeys(id, contactsAndRows, keys);
  if (!('patches' in contacts)) return { patch, suppressed: 0, hidden, following };
  const patches = rows.filter((row) => !hiddenOnes.has(row) && ![...hidden].some((contact) => isMeant(row, contact)));
  const ids = new Set([...hidden].map((contact) => contact.id));
  const visible = { ...patch, contacts: { ...contacts, patches, hidden: ids } };
  return { patch: visible, suppressed: rows.length - patches.length, hidden, following };
}

const none: ReadonlySet<KeptContact> = new Set();

/** Whether a row names a contact by its id or its profile, whatever else it says. */
function isMeant({ id, links = [] }: ContactPatch, contact: KeptContact): boolean {
  const profiles = new Set(contact.links.map(urlKey));
  return id === contact.id || links.some((link) => profiles.has(urlKey(link)));
}
