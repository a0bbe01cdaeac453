import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUp } from '#backends/embedded/back-up.ts';
import { type JsonFlag, printError, printResult } from '#src/command-line/command-line.ts';
import { refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { loadConfig } from '#src/settings/config.ts';
import { countOf, quoteForShell } from '#text/printed.ts';

export function addTo(program: Command): void {
  program
    .command('backup')
    .description('copy the whole store, as it is at one moment; the service can keep running')
    .argument(
      '<place>',
      'what does not exist yet: a folder for the embedded store and its key pepper, a file for MongoDB',
    )
    .action(makeBackup);
}

async function makeBackup(place: string, { json }: JsonFlag): Promise<void> {
  const { mongoUri } = loadConfig();
  if (mongoUri === null) copyEmbedded(place, json);
  else await copyMongo(mongoUri, place, json);
}

const withoutPepper = 'The backup does not contain KEY_PEPPER. Keep that with it.';

function copyEmbedded(folder: string, json?: boolean): void {
  const { dataDir, keyPepper } = loadConfig();
  const { hasPepper, unnoted } = backUp(dataDir, folder);
  if (unnoted !== null) printError(`masthead: the backup is whole, but metrics will not show it (${unnoted}).`);
  const done = [
    `Backed up the store to ${folder}. To run the service from it: MASTHEAD_DATA_DIR=${quoteForShell(folder)} npm start`,
    ...(hasPepper ? ['The backup contains the key pepper. Keep it where nobody else can read it.'] : []),
    ...(!hasPepper && keyPepper !== null ? [withoutPepper] : []),
  ];
  printResult({ folder, has_key_pepper: hasPepper }, () => done.join('\n'), json);
}

async function copyMongo(uri: string, file: string, json?: boolean): Promise<void> {
  refuseExisting(resolve(file), 'Backups are never overwritten: delete it');
  const { withMongo } = await import('../with-mongo.ts');
  const { noteBackup, streamBackup } = await import('#backends/mongo/back-up.ts');
  await withMongo(uri, async (db) => {
    const at = new Date();
    let counts: Record<string, number> = {};
    await writeOutputFile(
      file,
      streamBackup(db, at, (finalCounts) => {
        counts = finalCounts;
      }),
    );
    await noteBackup(db, at);
    const documents = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const done = `Backed up ${countOf(documents, 'document')} of the database ${db.databaseName} to ${file}.`;
    printResult({ file, counts }, () => `${done}\n${withoutPepper}`, json);
  });
}
