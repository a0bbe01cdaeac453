import { expect } from 'vitest';
import type { TestService } from './http/test-service.ts';

/** Which of these one-letter ids a service shows, the same in search, facets and record reads. */
export async function shownIds(service: TestService, possible: string): Promise<string> {
  const search = await service.get('/api/v1/search?q=herald').expect(200);
  const ids = joinSorted(search.body.results);
  expect((await service.get('/api/v1/facets').expect(200)).body.total).toBe(ids.length);
  for (const id of possible) await service.get(`/api/v1/records/${id}`).expect(ids.includes(id) ? 200 : 404);
  return ids;
}

export function joinSorted(records: readonly { id: string }[]): string {
  return records
    .map(({ id }) => id)
    .toSorted()
    .join('');
}
