import { normalizeId } from '#domain/normalize-id.ts';
import { normalizeRecord } from '#domain/normalize-record.ts';
import type { Kind } from '#domain/vocabularies.ts';
import { fileSize, openSource, type Source } from './open-source.ts';
import { readRows } from './read-rows.ts';
import { BrokenFile, RefusedFile } from './refused-file.ts';
import type { Row, RowReader } from './row.ts';
import { hashId, SeenIds } from './seen-ids.ts';

/** Ids that are followed through a file, at most. */
const maxRepeats = 200_000;

/** How many rows of a file have the same id, for ids that come more than once. */
export class Repeats {
  readonly #seen = new SeenIds();
  readonly #rows = new Map<number, number>();

  /** Counts a row of this id while the file is looked through. */
  count(id: string): void {
    const hash = hashId(id);
    if (!this.#seen.add(hash)) return;
    const rows = this.#rows.get(hash) ?? 1;
    if (rows > 1 || this.#rows.size < maxRepeats) this.#rows.set(hash, rows + 1);
  }

  /** Takes account of a row of this id while the file is imported; answers whether more rows of it follow. */
  isFollowed(id: string): boolean {
    if (this.#rows.size === 0) return false;
    const hash = hashId(id);
    const rows = this.#rows.get(hash);
    if (rows === undefined) return false;
    if (rows > 1) this.#rows.set(hash, rows - 1);
    else this.#rows.delete(hash);
    return rows > 1;
  }
}

/**
 * Looks through a file for ids that come more than once, so that only what their rows come to together is saved and
 * importing the file again changes nothing. Finds nothing in what can be read only once. Faults within the file are
 * left to the import.
 *
 * @throws RefusedFile where there is no such file.
 */
export async function findRepeats(
  path: string,
  givenKind: Kind | null,
  onRead: (source: Source) => void,
): Promise<Repeats> {
  const repeats = new Repeats();
  if ((await fileSize(path)) === null) return repeats;
  const source = await openSource(path);
  let reader: RowReader | null = null;
  try {
    const batches = readRows(source.chunks, (opened) => {
      reader = opened;
    });
    for await (const rows of batches) {
      const kind = givenKind ?? (reader as RowReader | null)?.kind ?? null;
      for (const row of rows) {
        const id = idOf(row, kind);
        if (id !== null) repeats.count(id);
      }
      onRead(source);
    }
  } catch (error) {
    if (!(error instanceof RefusedFile || error instanceof BrokenFile)) throw error;
  } finally {
    source.close();
  }
  return repeats;
}

/** The id under which a row will be saved; null for one that will not. */
function idOf(row: Row, kind: Kind | null): string | null {
  if ('fault' in row) return null;
  const given = normalizeId(row.source.id);
  if ('fault' in given) return null;
  if (given.id !== null) return given.id;
  const result = normalizeRecord(row.source, kind === null ? {} : { kind });
  return 'patch' in result ? result.patch.id : null;
}
