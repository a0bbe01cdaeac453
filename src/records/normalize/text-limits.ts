import { type PlainField, plainFields } from '../fields.ts';

/**
 * Maximum length of values, in UTF-16 code units. Longer text is cut between words with a note; a longer id or URL is
 * rejected, since half of one names something else.
 */
export const textLimits = {
  id: 200,
  name: 300,
  aliases: 300,
  description: 5_000,
  region: 120,
  city: 120,
  phone: 60,
  tags: 100,
  ...(Object.fromEntries(plainFields.map(({ key, plain }) => [key, plain.limit])) as Record<PlainField, number>),
} as const;

/** The longest URL that browsers, sitemaps and mail tools all accept. */
export const urlLimit = 2_048;

/** The longest address that fits an SMTP path (RFC 5321, 4.5.3.1.3). */
export const emailLimit = 254;

/** Aliases per record; further ones are dropped with a note. */
export const aliasLimit = 100;

/** Tags per record; further ones are dropped with a note. */
export const tagLimit = 30;

/** Topic words per record to read, not counting repeats. */
export const topicLimit = 100;
