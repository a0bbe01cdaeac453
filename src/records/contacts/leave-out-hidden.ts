import type { MediaRecord, RecordPatch } from '../media-record.ts';
import { urlKey } from '../normalize/normalize-url.ts';
import { followingKeys, hiddenContacts } from '../suppression.ts';
import type { ContactPatch, KeptContact } from './contact.ts';

interface VisiblePatch {
  /** The same object if suppressions hide nothing that it says. */
  patch: RecordPatch;
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
  const { contacts, id } = patch;
  const unchanged = { patch, following: new Map<string, string>() };
  if (keys.size === 0 || contacts === undefined || !('patches' in contacts)) return unchanged;
  const known = stored?.contacts ?? [];
  const all = [...known, ...contacts.patches];
  const hidden = hiddenContacts<ContactPatch | KeptContact>(id, all, keys);
  if (hidden.size === 0) return unchanged;
  const gone = known.filter((one) => hidden.has(one));
  const patches = contacts.patches.filter((row) => !hidden.has(row) && !gone.some((one) => isMeant(row, one)));
  const ids = new Set(gone.map((one) => one.id));
  return {
    patch: { ...patch, contacts: { ...contacts, patches, hidden: ids } },
    following: followingKeys(id, all, keys),
  };
}

/** Whether a row names a contact by its id or its profile, whatever else it says. */
function isMeant({ id, links = [] }: ContactPatch, contact: KeptContact): boolean {
  const profiles = new Set(contact.links.map(urlKey));
  return id === contact.id || links.some((link) => profiles.has(urlKey(link)));
}
