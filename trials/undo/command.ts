import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startEngine } from '../../testing/engines/start-engine.ts';
import { newTestDatabase } from '../../testing/mongo-database.ts';
import { atLeastOne, backendOption, seedOption } from '../options.ts';
import { limitTransactions } from './limit-transactions.ts';
import { runSequences } from './run-sequences.ts';

interface UndoOptions {
  backend: 'embedded' | 'production';
  sequences: number;
  seed?: number;
}

export const undoCommand = new Command('undo')
  .description('Imports, deletes and undoes at random in a process that is killed at random, and compares with a model')
  .addOption(backendOption())
  .option('--sequences <n>', 'how many sequences of up to twelve steps', atLeastOne, 1_000)
  .addOption(seedOption())
  .action(runUndo);

async function runUndo({ backend, sequences, seed = 1 + Math.floor(Math.random() * 1e6) }: UndoOptions): Promise<void> {
  const place = await (backend === 'embedded' ? openFolder() : openDatabase());
  console.log(`${backend}: ${sequences} sequences, --seed ${seed}`);
  const onSequence = (done: number) => done % 100 === 0 && console.log(`${done} sequences`);
  const { steps, kills, halves, faults } = await runSequences({
    place: place.uri,
    sequences,
    seed,
    onSequence,
  }).finally(place.close);
  console.log(`${steps} steps, ${kills} kills, ${halves} of them with records changed, ${faults.length} faults`);
  for (const fault of faults) console.error(`WRONG  ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

async function openFolder() {
  const uri = await mkdtemp(join(tmpdir(), 'masthead-undo-'));
  return { uri, close: () => rm(uri, { recursive: true }) };
}

async function openDatabase() {
  const engine = await startEngine('mongodb', console.log);
  const database = newTestDatabase(engine.url);
  await limitTransactions(database.client);
  return {
    uri: database.uri,
    async close() {
      await database.drop();
      await engine.stop();
    },
  };
}
