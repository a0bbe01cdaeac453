import type { MediaRecord } from './media-record.ts';

export type Visibility = 'full' | 'masked';

/** `jane@example.org` → `j***@example.org`; a one-character local part gives `***@…`: its first would be all of it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = '', second] = email.slice(0, at);
  return `${second === undefined ? '' : first}***${email.slice(at)}`;
}

/** What maskEmail returns: `j***@example.org`. */
const mask = /^.?\*{3}@[^@]+$/su;

/** A record that was stored with a mask. A mask in an earlier version's form is left out, until the index is rebuilt. */
export function showMasked(record: MediaRecord): MediaRecord {
  const { email, email_source } = record;
  const isMasked = email === null || mask.test(email);
  return isMasked && email_source === null ? record : { ...record, email: isMasked ? email : null, email_source: null };
}

/** The record as a caller without a plan may see it. */
export function maskRecord(record: MediaRecord): MediaRecord {
  if (record.email === null) return { ...record, email_source: null };
  return { ...record, email: maskEmail(record.email), email_source: null };
}
