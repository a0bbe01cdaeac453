import type { SyncFigures } from './sync.ts';

/** The figures, for people. */
export function formatSync({ backlog, visible, memory }: SyncFigures): string {
  const megabytes = (value: number | null) => (value === null ? 'unknown' : `${value.toFixed(0)} MB`);
  return [
    `backlog of ${backlog.changes} changes: ${backlog.product.toFixed(0)}/s by the product, ${backlog.bare.toFixed(0)}/s by a change stream that writes nothing: ${(100 * backlog.ratio).toFixed(0)} %`,
    `ready-made documents handed to the engine as the stream is read: ${backlog.readyMade.toFixed(0)}/s: ${(100 * backlog.readyMadeRatio).toFixed(0)} %`,
    `seen by a search after ${visible.p50.toFixed(0)} ms (p50), ${visible.p99.toFixed(0)} ms (p99), at ${visible.changesASecond} changes a second`,
    `memory: reindex ${megabytes(memory.reindex)}, sync ${megabytes(memory.sync)}`,
  ].join('\n');
}
