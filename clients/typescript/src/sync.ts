import type { Api } from './connect.ts';
import { asDocumented } from './documented.ts';
import { exportFile } from './export-file.ts';
import { MastheadError } from './masthead-error.ts';
import { readAnswer } from './read-answer.ts';
import { readLines } from './read-lines.ts';
import type { CallOptions, ChangesPage, Copy, RecordField, SyncParameters, SyncResult } from './types.ts';

/** How many changes a request asks for: the most (contract A20). */
const maxChanges = 1_000;

/** Brings a copy up to date; see Masthead.sync. */
export async function sync<Field extends RecordField>(
  api: Api,
  copy: Copy<Field>,
  parameters: SyncParameters<Field>,
  call: CallOptions = {},
): Promise<SyncResult> {
  const result: SyncResult = { isWhole: false, upserted: 0, removed: 0 };
  const known = await copy.readCursor();
  if (known !== null) {
    try {
      await applyChanges(api, { copy, parameters, call, result }, known);
      return result;
    } catch (error) {
      if (!(error instanceof MastheadError && error.code === 'cursor_expired')) throw error;
    }
  }
  const begun = await copyEverything(api, { copy, parameters, call, result });
  await applyChanges(api, { copy, parameters, call, result }, begun);
  return { ...result, isWhole: true };
}

interface Run<Field extends RecordField> {
  copy: Copy<Field>;
  parameters: SyncParameters<Field>;
  call: CallOptions;
  result: SyncResult;
}

/** Copies an export, removes what it does not have, and returns its cursor. */
async function copyEverything<Field extends RecordField>(
  api: Api,
  { copy, parameters: { kind, fields }, call, result }: Run<Field>,
): Promise<string> {
  const { body, cursor } = await exportFile(api, { kind, format: 'ndjson', ...(fields && { fields }) }, call);
  if (cursor === null) {
    await body.cancel();
    throw new MastheadError('unexpected_answer', 'The export has no X-Changes-Cursor. Try again later.');
  }
  const ids = new Set<string>();
  for await (const line of readLines(body)) {
    call.signal?.throwIfAborted();
    const record = JSON.parse(line);
    await copy.upsert(record);
    ids.add(record.id);
  }
  result.upserted += ids.size;
  for (const id of await copy.listIds()) {
    if (ids.has(id)) continue;
    await copy.remove(id, null);
    result.removed += 1;
  }
  await copy.saveCursor(cursor);
  return cursor;
}

async function applyChanges<Field extends RecordField>(
  api: Api,
  { copy, parameters: { kind, fields }, call, result }: Run<Field>,
  cursor: string,
): Promise<void> {
  const query = { kind, limit: maxChanges, ...(fields && { fields }) };
  for (let after = cursor, hasMore = true; hasMore; ) {
    const page = await readAnswer<ChangesPage<Field>>(call, (init) =>
      api.GET('/api/v1/changes', { params: { query: asDocumented<'readChanges'>({ ...query, after }) }, ...init }),
    );
    for (const { id, change, record, merged_into = null } of page.changes) {
      if (change === 'upsert' && record !== undefined) await copy.upsert(record);
      else await copy.remove(id, merged_into);
      result[change === 'upsert' ? 'upserted' : 'removed'] += 1;
    }
    // After the changes: if anything failed above, the next run applies them again.
    await copy.saveCursor(page.next);
    after = page.next;
    hasMore = page.has_more;
  }
}
