import type { SearchIndex } from '#search/search-index.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { Problem } from '#src/problem.ts';
import { digestAddress, isOutbound } from './outbound-lead.ts';
import type { PushCounts } from './push.ts';

/**
 * The records that a push sends: one for each address, the first by id. It keeps only ids, since a push may wait for
 * its tool for hours.
 */
export interface SelectedLeads {
  /** In the order of the ids. */
  ids: readonly string[];
  /** A digest of each address, in the same order. */
  addresses: Int32Array;
  counts: Pick<PushCounts, 'matched' | 'without_email' | 'repeated'>;
}

/**
 * Reads all records of a query from one snapshot, and selects those to send. Throws Problem `too_many_leads` as soon as
 * there are more than allowed.
 */
export async function selectLeads(index: SearchIndex, query: SearchQuery, maxLeads: number): Promise<SelectedLeads> {
  const idsByAddress = new Map<string, string>();
  let matched = 0;
  let withEmail = 0;
  for await (const batch of await index.scan(query)) {
    matched += batch.length;
    for (const record of batch) {
      if (record.email === null || !isOutbound(record, query)) continue;
      withEmail += 1;
      const address = record.email.toLowerCase();
      const first = idsByAddress.get(address);
      if (first === undefined || record.id < first) idsByAddress.set(address, record.id);
    }
    if (idsByAddress.size > maxLeads) throw tooManyLeads(maxLeads);
  }
  const selected = [...idsByAddress].sort(([, a], [, b]) => (a < b ? -1 : 1));
  return {
    ids: selected.map(([, id]) => id),
    addresses: Int32Array.from(selected, ([address]) => digestAddress(address)),
    counts: { matched, without_email: matched - withEmail, repeated: withEmail - selected.length },
  };
}

function tooManyLeads(max: number): Problem {
  return new Problem(
    'too_many_leads',
    `These filters match more than ${max} leads, the limit of one push. Nothing was sent. Narrow the filters, for example by country, and push in parts.`,
  );
}
