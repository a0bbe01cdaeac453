import { faultOfReason, readSuppressionKey, type Suppression } from './suppression.ts';

/*
 * How one store hands its suppressions to another: a comment, and an entry in JSON in each line. Keys are the same in every
 * store, whatever its pepper (decisions/0028); an address is a hash in them.
 */

const heading =
  '# Suppressions of a Masthead store. To carry them to another one: npm run indexer -- suppress --from FILE\n';

export function* writeSuppressionFile(suppressions: readonly Suppression[]): Generator<string> {
  yield heading;
  for (const { key, reason, addedAt } of suppressions) {
    yield `${JSON.stringify({ key, reason, added_at: addedAt })}\n`;
  }
}

/** Whether a line is an entry that another store wrote. */
export function isCarriedLine(line: string): boolean {
  return line.trimStart().startsWith('{');
}

/** Reads such a line; or says what is wrong with it, without quoting it. */
export function readCarriedLine(line: string): Pick<Suppression, 'key' | 'reason'> | { fault: string } {
  const entry = parseObject(line);
  if (entry === null) return { fault: 'not an entry of `suppress --export`: the JSON is cut off or changed' };
  const { key, reason = null } = entry;
  const read = typeof key === 'string' ? readSuppressionKey(key) : { fault: '`key` is missing' };
  if ('fault' in read) return read;
  if (reason === null) return { ...read, reason };
  const fault = typeof reason === 'string' ? faultOfReason(reason) : 'the reason is not text';
  return fault === null ? { ...read, reason: String(reason) } : { fault };
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
