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

/** The values of a record that a caller without a plan must not see. */
export type RecordSecret = Pick<MediaRecord, 'email' | 'email_source'>;

const noSecret: RecordSecret = { email: null, email_source: null };

/**
 * A record in two parts, which stores keep apart, so that a masked answer never reads the second: the record as a caller
 * without a plan may see it, and its secret, null if it has none. joinSecret puts them together again.
 */
export function splitSecret(record: MediaRecord): { masked: MediaRecord; secret: RecordSecret | null } {
  const { email, email_source } = record;
  const hasSecret = email !== null || email_source !== null;
  return {
    masked: { ...record, email: email === null ? null : maskEmail(email), email_source: null },
    secret: hasSecret ? { email, email_source } : null,
  };
}

/** The record of which splitSecret made these parts. */
export function joinSecret(masked: MediaRecord, secret: RecordSecret | null): MediaRecord {
  return { ...masked, ...(secret ?? noSecret) };
}
