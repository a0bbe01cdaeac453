import type { SearchPage } from '#usecases/search-records.ts';
import { presentRecord } from './present-record.ts';

/** The answer of GET /search (contract A3). */
export function presentSearch({ records, total, page, perPage, totalPages, isMasked }: SearchPage): object {
  return {
    results: records.map(presentRecord),
    total,
    page,
    per_page: perPage,
    total_pages: totalPages,
    masked: isMasked,
  };
}
