import { media } from '#testing/made-record.ts';

export { media };

/** The address of every record that has one. */
export const addresses = media.flatMap(({ email }) => email ?? []);
