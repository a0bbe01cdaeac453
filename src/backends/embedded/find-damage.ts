import { openReader } from './database.ts';
import { faultOf } from './sqlite-errors.ts';

/** Reads every page of a store. Returns what SQLite says of the first damage, without any content; null if there is none. */
export function findDamage(path: string): string | null {
  try {
    using reader = openReader(path);
    const [first] = reader.prepare('PRAGMA quick_check(1)').all();
    // Its first line only names the database.
    const answer = String(first?.quick_check).split('\n').at(-1) ?? '';
    return answer === 'ok' ? null : answer;
  } catch (error) {
    if (faultOf(error) === 'damage') return (error as Error).message;
    throw error;
  }
}
