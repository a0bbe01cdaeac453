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
  /** New ones of the thread, from any of its ranges. */
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
export async function fillInThread(task: RangeToFill): Promise<FilledRange> {
  opened ??= open(task);
  const { source, writer } = await opened;
  let recordCount = 0;
  await fillRange(source, writer, task, (records) => {
    recordCount += records;
  });
  const deadLetters = writer.deadLetters - reportedDeadLetters;
  reportedDeadLetters = writer.deadLetters;
  return { read: recordCount, deadLetters };
}

/** Once for a thread: while it prepares records, answers that have a time limit come too late. */
let opened: ReturnType<typeof open> | undefined;
let reportedDeadLetters = 0;

async function open({ isAhead, index, version }: RangeToFill) {
  const { syncDeps, whenPrepared } = await openBackends(loadConfig(), { timeoutMs: jobTimeoutMs, isAhead });
  await whenPrepared();
  if (syncDeps === null) throw new Error('an embedded store has no index to fill');
  const { source } = syncDeps;
  source.requireFrom(version);
  return { source, writer: await GenerationWriter.open(syncDeps, index) };
}
