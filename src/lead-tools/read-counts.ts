import type { LeadCounts } from '#outbound/push.ts';
import type { ToolBody } from './tool-definition.ts';

/** The number under a name; the length of a list; null if there is neither. */
export function readCount(body: ToolBody, name: string): number | null {
  const value = body[name];
  if (Array.isArray(value)) return value.length;
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** The first of the names that has a number: tools rename counters between versions. */
export function firstCount(body: ToolBody, names: readonly string[]): number | null {
  return names.map((name) => readCount(body, name)).find((count) => count !== null) ?? null;
}

/** The sum of all the names' numbers; missing ones count as 0. */
export function sumCounts(body: ToolBody, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (readCount(body, name) ?? 0), 0);
}

/**
 * The counters of an answer that have a value, under the tool's names. Only known names are used: any other could
 * repeat what was sent, such as the tool key or an address.
 */
export function readDetails(body: ToolBody, names: readonly string[]): Record<string, number> {
  const counts = names.map((name) => [name, readCount(body, name) ?? 0] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/**
 * Makes counts that add up to the size of the batch. Tools sometimes count a lead twice: what comes first here is
 * believed first, and later counts get the rest. Leads without a count were skipped without a reason.
 */
export function fitCounts(size: number, said: LeadCounts): LeadCounts {
  let left = size;
  const take = (count: number) => {
    const taken = Math.min(count, left);
    left -= taken;
    return taken;
  };
  const added = take(said.added);
  const invalid = take(said.invalid);
  const blocked = take(said.blocked);
  const duplicates = take(said.duplicates);
  const failed = take(said.failed);
  return { added, duplicates, invalid, blocked, skipped: left, failed };
}
