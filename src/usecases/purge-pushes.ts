import type { PushLog } from '#ports/push-log.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How long the push log keeps a push after its last news, in days; an Idempotency-Key lasts one. */
export const pushLogDays = 90;

/** Removes pushes that ended long ago; answers how many. */
export function purgePushes(pushes: Pick<PushLog, 'purge'>, now: Date): Promise<number> {
  return pushes.purge(new Date(now.getTime() - pushLogDays * dayMs));
}
