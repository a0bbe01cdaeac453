import type { MediaRecord } from './media-record.ts';

/** Whether an answer may hold whole addresses or only their masks. */
export type Visibility = 'full' | 'masked';

/**
 * `jane@example.org` → `j***@example.org`: the first character, three stars, the domain.
 * A one-character local part gives `***@…`, since its first character would be all of it.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = '', second] = email.slice(0, at);
  return `${second === undefined ? '' : first}***${email.slice(at)}`;
}

/** The record as a caller without a plan may see it. */
export function maskRecord(record: MediaRecord): MediaRecord {
  if (record.email === null) return { ...record, email_source: null };
  return { ...record, email: maskEmail(record.email), email_source: null };
}
