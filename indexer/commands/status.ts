import { print, printJson } from '#src/command-line.ts';
import { describeStatus } from '../upkeep/describe-upkeep.ts';
import { readStatus } from '../upkeep/read-status.ts';
import { withUpkeep } from './with-backends.ts';

/** `status` */
export async function showStatus(json: boolean): Promise<void> {
  await withUpkeep(async (upkeep, { followsItself }) => {
    const status = await readStatus(upkeep, { followsItself, now: new Date() });
    if (json) printJson(status);
    else print(describeStatus(status));
  });
}
