import type { IdRange } from '#backends/mongo/mongo-record-source.ts';
import { loadConfig } from '#src/settings/config.ts';
import { jobTimeoutMs, openBackends, type SyncDeps } from '#src/start/open-backends.ts';
import { GenerationWriter } from './generation-writer.ts';

/** A range of ids whose records go to an empty index. `version` is from before they are read, so that later changes win. */
export interface RangeToFill {
  index: string;
  range: IdRange;
  version: bigint;
  /** Whether an earlier version goes on with the store. */
  isAhead: boolean;
}

export interface FilledRange {
  read: number;
  deadLetters: number;
}

/** @param onRead takes the records of each page */
export async function fillRange(
  source: SyncDeps['source'],
  writer: GenerationWriter,
  { range, version }: Pick<RangeToFill, 'range' | 'version'>,
  onRead: (records: number) => void,
): Promise<void> {
  for await (const { states } of source.readPages(range)) {
    const versions = new Map([...states.keys()].map((id) => [id, version]));
    await writer.write(await writer.prepareStates(versions, states, true));
    onRead(states.size);
  }
}

/** What a thread of `reindex --workers` does, with connections of its own. They stay open until it ends with the rebuild. */
export async function fillInThread({ isAhead, index, ...task }: RangeToFill): Promise<FilledRange> {
  syncDeps ??= open(isAhead);
  const { source } = await syncDeps;
  source.requireFrom(task.version);
  const writer = await GenerationWriter.open(await syncDeps, index);
  let recordCount = 0;
  await fillRange(source, writer, task, (records) => {
    recordCount += records;
  });
  return { read: recordCount, deadLetters: writer.deadLetters };
}

let syncDeps: Promise<SyncDeps> | undefined;

async function open(isAhead: boolean): Promise<SyncDeps> {
  const { syncDeps, whenPrepared } = await openBackends(loadConfig(), { timeoutMs: jobTimeoutMs, isAhead });
  await whenPrepared();
  if (syncDeps === null) throw new Error('an embedded store has no index to fill');
  return syncDeps;
}
