import type { z } from 'zod';
import type { Push } from '#domain/outbound/push.ts';
import type { pushAnswer } from './answers.ts';

/** The answer of POST /export/push (contract A6). */
export function presentPush({ tool, campaignId, counts, details }: Push): z.output<typeof pushAnswer> {
  return {
    tool,
    campaign_id: campaignId,
    matched: counts.matched,
    without_email: counts.without_email,
    repeated: counts.repeated,
    sent: counts.sent,
    added: counts.added,
    duplicates: counts.duplicates,
    invalid: counts.invalid,
    blocked: counts.blocked,
    skipped: counts.skipped,
    failed: counts.failed,
    details,
  };
}
