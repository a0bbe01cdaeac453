import type { MediaRecord } from '#records/media-record.ts';
import type { RecordStore } from '#records/record-store.ts';
import { keysOfContact, withoutSuppressed } from '#records/suppression.ts';

const addressesAtOnce = 200;

/**
 * Sets the status of all contacts at these addresses to `invalid`. Without a change set it only counts. Contacts that suppressions
 * hide are marked, too, so that none comes back with an address that is known to be bad; but nothing counts them.
 *
 * @param suppressed the keys of all suppressions
 */
export async function markBounces(
  records: Pick<RecordStore, 'findByAddresses' | 'amend' | 'readAll'>,
  addresses: readonly string[],
  suppressed: ReadonlySet<string>,
  changeSet: string | null,
) {
  /** Addresses that bounced hard: stored ones, those of them that were marked before, and others; and records that were changed. */
  const counts = { known: 0, unchanged: 0, unknown: 0, records: 0 };
  const mark = async (ids: readonly string[], bounced: ReadonlySet<string>) => {
    const amended = await records.amend(ids, (stored) => withInvalid(stored, bounced), changeSet);
    // What is hidden changes no date.
    counts.records += amended.filter(({ before, after }) => before.updated_at !== after.updated_at).length;
  };
  for (let start = 0; start < addresses.length; start += addressesAtOnce) {
    const bounced = new Set(addresses.slice(start, start + addressesAtOnce).map((address) => address.toLowerCase()));
    const recordsOfThem = await records.findByAddresses([...bounced]);
    const visible = recordsOfThem.flatMap((record) => withoutSuppressed(record, suppressed)?.contacts ?? []);
    const contacts = visible.filter(({ email }) => isAmong(bounced, email));
    const storedAddresses = new Set(contacts.map(({ email }) => email?.toLowerCase()));
    const open = new Set(
      contacts.filter((contact) => contact.email_status !== 'invalid').map(({ email }) => email?.toLowerCase()),
    );
    counts.known += storedAddresses.size;
    counts.unchanged += storedAddresses.size - open.size;
    counts.unknown += bounced.size - storedAddresses.size;
    await mark(
      recordsOfThem.map(({ id }) => id),
      bounced,
    );
  }
  const isListed = (email: string) => keysOfContact('', { email }).some((key) => suppressed.has(key));
  const listedAddresses = new Set(addresses.filter(isListed).map((address) => address.toLowerCase()));
  // No index has what is hidden.
  if (listedAddresses.size > 0) {
    for await (const batch of records.readAll()) {
      const holders = batch.filter(({ contacts }) => contacts.some(({ email }) => isAmong(listedAddresses, email)));
      await mark(
        holders.map(({ id }) => id),
        listedAddresses,
      );
    }
  }
  return counts;
}

function isAmong(addresses: ReadonlySet<string>, email: string | null): boolean {
  return email !== null && addresses.has(email.toLowerCase());
}

function withInvalid({ contacts }: MediaRecord, addresses: ReadonlySet<string>) {
  const isBounced = ({ email, email_status: status }: MediaRecord['contacts'][number]) =>
    isAmong(addresses, email) && status !== 'invalid';
  if (!contacts.some(isBounced)) return null;
  return {
    contacts: contacts.map((contact) =>
      isBounced(contact) ? { ...contact, email_status: 'invalid' as const } : contact,
    ),
  };
}
