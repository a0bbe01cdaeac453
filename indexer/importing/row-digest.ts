import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import type { Kind } from '#records/vocabularies.ts';
import { once } from '#text/memoize.ts';

/** 132 bits: no two rows share a digest by chance. */
const digestLength = 22;

/**
 * The digest of what a row says, and of everything that decides what becomes of it: rows with the same digest give the
 * same patch, and merging that into the same record gives the same.
 *
 * @param kind of rows that have none
 */
export function digestRow(source: SourceRecord, kind: Kind | null): string {
  return hash('sha256', formOfImports() + JSON.stringify([kind, source]), 'base64url').slice(0, digestLength);
}

/**
 * The form in which this version reads and merges rows: src/records/ and src/text/ do all of it. Another
 * version, package or Node reads every row again.
 */
const formOfImports = once(() => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const files = ['src/records', 'src/text'].flatMap((room) =>
    readdirSync(`${root}${room}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${root}${room}/${name}`),
  );
  const texts = files.toSorted().map((path) => readFileSync(path, 'utf8'));
  return hash('sha256', JSON.stringify([process.versions, readFileSync(`${root}package-lock.json`, 'utf8'), texts]));
});
