import type { z } from 'zod';
import type { SearchPage } from '#usecases/search-records.ts';
import type { searchAnswer } from './answers.ts';
import { presentRecord } from './present-record.ts';

/** The answer of GET /search (contract A3). */
export function presentSearch({
  records,
  total,
  page,
  perPage,
  totalPages,
  isMasked,
}: SearchPage): z.output<typeof searchAnswer> {
  return {
    results: records.map(presentRecord),
    total,
    page,
    per_page: perPage,
    total_pages: totalPages,
    masked: isMasked,
  };
}
