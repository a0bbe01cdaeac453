import { parseJson } from '#text/json.ts';
import { faultOfReason, readSuppressionKey } from './read-suppression.ts';
import type { Suppression } from './suppression.ts';

/*
 * How one store hands its suppressions to another: a comment, and an entry in JSON in each line. Keys are the same in every
 * store, whatever its pepper (decisions/0028); an address and a name are hashes in them.
 */

const title = '# Suppressions of a Masthead store.';
const heading = `${title} To carry them to another one: npm run indexer -- suppress --from FILE\n`;

export function* writeSuppressionFile(suppressions: readonly Suppression[]): Generator<string> {
  yield heading;
  for (const { key, reason, addedAt, follows } of suppressions) {
    yield `${JSON.stringify({ key, reason, added_at: addedAt, follows })}\n`;
  }
}

/** Whether a store wrote this text, which then may hold no entry. */
export function isSuppressionFile(text: string): boolean {
  return text.startsWith(title);
}

/** Whether a line is an entry that another store wrote. */
export function isCarriedLine(line: string): boolean {
  return line.trimStart().startsWith('{');
}

/** Reads such a line; or says what is wrong with it, without quoting it. */
export function readCarriedLine(line: string): Pick<Suppression, 'key' | 'reason' | 'follows'> | { fault: string } {
  const entry = parseJson<Record<string, unknown>>(line);
  if (entry === null) return { fault: 'not an entry of `suppress --export`: the JSON is cut off or changed' };
  const { key, reason = null, follows } = entry;
  const keyResult = typeof key === 'string' ? readSuppressionKey(key) : { fault: '`key` is missing' };
  if ('fault' in keyResult) return keyResult;
  if (reason !== null && typeof reason !== 'string') return { fault: 'the reason is not text' };
  const fault = reason === null ? null : faultOfReason(reason);
  if (fault !== null) return { fault };
  if (follows === undefined) return { ...keyResult, reason };
  const cause = typeof follows === 'string' ? readSuppressionKey(follows) : { fault: 'not text' };
  return 'key' in cause
    ? { ...keyResult, reason, follows: cause.key }
    : { fault: '`follows` is not a key of an entry' };
}
