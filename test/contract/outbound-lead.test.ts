import { describe, expect, it } from 'vitest';
import { isOutbound, outboundPart, toLead } from '#domain/outbound/outbound-lead.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import { emailStatuses } from '#domain/vocabularies.ts';
import { testBackends } from '#test/backends.ts';
import { madeRecord } from '#testing/made-record.ts';

describe('a record as a lead', () => {
  it('has the names, places and addresses that tools ask for', () => {
    const lead = toLead(
      madeRecord({
        id: 'a',
        name: 'The Echo',
        url: 'https://www.echo.example/news',
        email: 'desk@echo.example',
        contact_name: 'Ulla von der Leyen',
        city: 'Leeds',
        country: 'GB',
        country_name: 'United Kingdom',
        categories: ['music', 'arts'],
      }),
    );
    expect(lead).toMatchObject({
      email: 'desk@echo.example',
      firstName: 'Ulla',
      lastName: 'von der Leyen',
      companyName: 'The Echo',
      website: 'https://www.echo.example/news',
      domain: 'echo.example',
      location: 'Leeds, United Kingdom',
      topics: 'music|arts',
      audience: null,
    });
  });

  it('does not exist without an address', () => {
    expect(toLead(madeRecord({ id: 'a' }))).toBeNull();
  });
});

describe.each(testBackends)('the records that outbound tools may get, $name', ({ open }) => {
  const records = [null, ...emailStatuses].flatMap((status) => [
    madeRecord({ id: `${status} with`, email_status: status, email: `${status}@host.example` }),
    madeRecord({ id: `${status} without`, email_status: status }),
  ]);
  const queries: SearchQuery[] = [
    { text: null, filters: [] },
    { text: null, filters: [{ field: 'email_status', any: ['invalid'], none: [] }] },
    { text: null, filters: [{ field: 'email_status', any: [], none: ['webmail'] }] },
    { text: null, filters: [{ present: 'email' }] },
  ];

  it('are the same by filter as by checking each record', async () => {
    const backend = await open();
    try {
      await backend.load(records);
      const idsOf = async (query: SearchQuery, keep: (id: string) => boolean) => {
        const ids: string[] = [];
        for await (const batch of await backend.index.scan(query)) ids.push(...batch.map(({ id }) => id));
        return ids.filter(keep).toSorted();
      };
      const sizes: number[] = [];
      for (const query of queries) {
        const outbound = new Set(records.filter((record) => isOutbound(record, query)).map(({ id }) => id));
        const byFilters = await idsOf(outboundPart(query), () => true);
        expect(byFilters).toEqual(await idsOf(query, (id) => outbound.has(id)));
        sizes.push(byFilters.length);
      }
      expect(sizes).toEqual([6, 1, 6, 6]);
    } finally {
      await backend.close();
    }
  });
});
