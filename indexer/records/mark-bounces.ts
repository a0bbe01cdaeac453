import type { MediaRecord } from '#records/media-record.ts';
import type { RecordStore } from '#records/record-store.ts';

/** How many addresses that bounced hard are stored, were marked before, and are not stored. */
export interface MarkedBounces {
  known: number;
  unchanged: number;
  unknown: number;
  /** Records that were changed. */
  records: number;
}

const addressesAtOnce = 200;

/** Sets the status of all contacts at these addresses to `invalid`. Without a change set it only counts. */
export async function markBounces(
  records: Pick<RecordStore, 'findByAddresses' | 'amend'>,
  addresses: readonly string[],
  changeSet: string | null,
): Promise<MarkedBounces> {
  const marked: MarkedBounces = { known: 0, unchanged: 0, unknown: 0, records: 0 };
  for (let start = 0; start < addresses.length; start += addressesAtOnce) {
    const some = new Set(addresses.slice(start, start + addressesAtOnce).map((address) => address.toLowerCase()));
    const found = await records.findByAddresses([...some]);
    const contacts = found.flatMap((record) => record.contacts.filter(({ email }) => isAmong(some, email)));
    const known = new Set(contacts.map(({ email }) => email?.toLowerCase()));
    const open = new Set(
      contacts.filter((one) => one.email_status !== 'invalid').map(({ email }) => email?.toLowerCase()),
    );
    marked.known += known.size;
    marked.unchanged += known.size - open.size;
    marked.unknown += some.size - known.size;
    const amended = await records.amend(
      found.map(({ id }) => id),
      (stored) => withInvalid(stored, some),
      changeSet,
    );
    marked.records += amended.filter(({ before, after }) => before !== after).length;
  }
  return marked;
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
