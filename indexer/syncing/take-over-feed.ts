import type { FeedWriter } from '#backends/mongo/mongo-change-feed.ts';
import type { GenerationState, Position } from '#backends/mongo/mongo-index-journal.ts';
import type { SyncDeps } from '#src/start/open-backends.ts';

/**
 * Opens the feed of changes to go on with a generation, and says from where. If the feed was of another one, or is new, it first
 * gets an entry for each record that this generation shows otherwise than was noted: none after a rebuild or a rollback that
 * changed nothing. Nobody reads the feed before it has all of them.
 */
export async function takeOverFeed(
  { feed, generations }: SyncDeps,
  { index, identity, position }: GenerationState,
): Promise<{ feed: FeedWriter; from: Position }> {
  const [writer, state] = [await feed.openWriter(), await feed.findState()];
  if (state?.identity === identity) {
    return { feed: writer, from: state.position.version < position.version ? state.position : position };
  }
  await generations.refresh(index);
  let version = 0;
  for await (const { shown: shownRecords, ...range } of generations.readAppearances(index)) {
    version = await writer.noteRange(range, shownRecords);
  }
  await feed.confirm({ index, identity, position, version });
  return { feed: writer, from: position };
}
