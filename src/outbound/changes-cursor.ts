import { feedDays } from '#records/change-feed.ts';
import { Problem } from '#src/problem.ts';
import { daysAfter } from '#text/days.ts';

/** A moment of the feed of changes: whoever has it knows every change up to this version. */
export interface ChangesCursor {
  store: string;
  version: number;
  /** The same, or while changes are read page by page, the version where that began. Since then, records may have left a kind. */
  since: number;
  /** When everything after this version was still kept, in hours since 1970. By the hour, so that quiet feeds repeat their answer. */
  hour: number;
}

const hourMs = 60 * 60 * 1000;
const form = /^([0-9a-f-]{36}) (\d{1,15}) (\d{1,15}) (\d{1,7})$/;

export function makeCursor(store: string, version: number, at: Date): ChangesCursor {
  return { store, version, since: version, hour: Math.floor(at.getTime() / hourMs) };
}

/** As callers have it: opaque. */
export function writeCursor({ store, version, since, hour }: ChangesCursor): string {
  return Buffer.from(`${store} ${version} ${since} ${hour}`).toString('base64url');
}

/** Null if the text is no cursor. */
export function readCursor(text: string): ChangesCursor | null {
  const [, store, ...numbers] = form.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const [version = 0, since = 0, hour = 0] = numbers.map(Number);
  return store === undefined ? null : { store, version, since, hour };
}

/** @throws Problem `cursor_expired` if entries after the cursor may be lost, or are those of another store */
export function requireCurrent(
  { store, version, hour }: ChangesCursor,
  { storeId, reached, now }: { storeId: string; reached: number; now: Date },
): void {
  const again = 'Export everything again, and go on from the X-Changes-Cursor of that export.';
  if (store !== storeId || version > reached) {
    throw new Problem(
      'cursor_expired',
      `This cursor is of another state of the store, from before it was restored from a backup. ${again}`,
    );
  }
  if (hour * hourMs < Date.parse(daysAfter(now, -feedDays))) {
    throw new Problem('cursor_expired', `Changes are kept for ${feedDays} days, and this cursor is older. ${again}`);
  }
}
