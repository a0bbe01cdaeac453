import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '#src/config.ts';
import { DeadLetterFile } from '../dead-letter-file.ts';
import { reindex } from '../reindex.ts';
import { withBackends } from './with-backends.ts';

export const reindexCommand = new Command('reindex')
  .description('build the search index anew from the records; exit 0 only when every record is in')
  .option('--allow-shrink', 'publish it though it holds much less than the one that is searched now')
  .option('--json', 'print the outcome as JSON, and nothing else')
  .action(async ({ allowShrink = false, json = false }: { allowShrink?: boolean; json?: boolean }) => {
    const deadLetters = new DeadLetterFile(join(loadConfig().dataDir, 'dead-letters'), new Date());
    const news = { reportUnreadable: (id: string, reason: string) => deadLetters.add({ id, reason }) };
    await withBackends(async ({ records, generations, whenPrepared }) => {
      await whenPrepared();
      const isWhole = await reindex({ records, generations, deadLetters, allowsShrink: allowShrink, json });
      if (!isWhole) process.exitCode = 1;
    }, news);
  });
