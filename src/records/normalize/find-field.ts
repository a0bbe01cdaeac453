import { nameKey } from '#text/fold.ts';
import { fields } from '../fields.ts';
import type { MediaRecord } from '../media-record.ts';
import { type Kind, kinds } from '../vocabularies.ts';

const keysByHeading = new Map<string, keyof MediaRecord>();
for (const field of fields) {
  const headings: readonly string[] = 'headings' in field ? field.headings : [];
  for (const heading of [field.key, ...headings]) keysByHeading.set(nameKey(heading), field.key);
}

/** No known heading is longer. */
const maxHeadingLength = 100;

/** The field of a column heading or JSON key, ignoring case and punctuation; null for an unknown one. */
export function findField(heading: string): keyof MediaRecord | null {
  return heading.length > maxHeadingLength ? null : (keysByHeading.get(nameKey(heading)) ?? null);
}

/** The kind that a name heading implies: `Podcast name` means that all rows are podcasts. */
export function kindOfHeading(heading: string): Kind | null {
  if (findField(heading) !== 'name') return null;
  const [first] = nameKey(heading).split(' ');
  return kinds.find((kind) => kind === first) ?? null;
}
