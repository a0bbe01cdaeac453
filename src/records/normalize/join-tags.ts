import { nameKey } from '#text/fold.ts';
import { tagLimit } from './text-limits.ts';

/** Tags without repeats: of those that differ in case and accents alone, the first spelling stays. At most 30 of them. */
export function joinTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(nameKey(tag))) byKey.set(nameKey(tag), tag);
  return [...byKey.values()].slice(0, tagLimit);
}
