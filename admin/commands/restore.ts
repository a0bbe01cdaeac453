import type { Command } from 'commander';
import { type JsonFlag, printResult } from '#src/command-line/command-line.ts';
import { loadConfig } from '#src/settings/config.ts';
import { countOf } from '#text/printed.ts';

export function addTo(program: Command): void {
  program
    .command('restore')
    .description('fill the empty database in MONGODB_URI from a backup; see docs/operations.md')
    .argument('<file>', 'what `admin backup` wrote')
    .action(restoreBackup);
}

async function restoreBackup(file: string, { json }: JsonFlag): Promise<void> {
  const { mongoUri, dataDir } = loadConfig();
  if (mongoUri === null) {
    throw new Error(
      `a backup of the embedded store is a data folder. Stop the service, and put the folder in place of ${dataDir} (docs/operations.md, "Back up and restore").`,
    );
  }
  const { withMongo } = await import('../with-mongo.ts');
  const { restore } = await import('#backends/mongo/restore.ts');
  await withMongo(mongoUri, async (db) => {
    const counts = await restore(db, file);
    const documents = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const done = `Restored ${countOf(documents, 'document')} to the database ${db.databaseName}. Build the index: npm run indexer -- reindex`;
    printResult({ counts }, () => done, json);
  });
}
