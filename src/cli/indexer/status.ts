import { describeStatus } from '#src/syncing/describe-index.ts';
import { print, printJson } from '../command-line.ts';
import { withIndex } from './with-backends.ts';

/** `status` */
export async function showStatus(json: boolean): Promise<void> {
  await withIndex(async ({ maintenance }) => {
    const status = await maintenance.readStatus(new Date());
    if (json) printJson(status);
    else print(describeStatus(status));
  });
}
