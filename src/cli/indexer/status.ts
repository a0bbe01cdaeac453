import { describeStatus } from '#src/syncing/describe-upkeep.ts';
import { readStatus } from '#src/syncing/read-status.ts';
import { print, printJson } from '../command-line.ts';
import { withUpkeep } from './with-backends.ts';

/** `status` */
export async function showStatus(json: boolean): Promise<void> {
  await withUpkeep(async (upkeep, { followsItself }) => {
    const status = await readStatus(upkeep, { followsItself, now: new Date() });
    if (json) printJson(status);
    else print(describeStatus(status));
  });
}
