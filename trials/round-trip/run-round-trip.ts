import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIndexer } from '../../testing/indexer-process.ts';
import { watchMemory } from '../../testing/process-figures.ts';

export interface RoundTripOptions {
  /** How many records to generate. */
  count: number;
  format: 'ndjson' | 'csv';
}

export interface Command {
  name: 'import' | 'export' | 'import again';
  seconds: number;
  /** Maximum memory of the process in MB; null if the system does not say. */
  memory: number | null;
}

export interface RoundTrip {
  commands: Command[];
  /** Of the second import. */
  summary: Record<'read' | 'created' | 'updated' | 'unchanged' | 'rejected', number>;
}

/** Imports generated records, exports them, and imports the export, each in a process of its own, in an embedded store. */
export async function runRoundTrip({ count, format }: RoundTripOptions): Promise<RoundTrip> {
  const folder = await mkdtemp(join(tmpdir(), 'masthead-round-trip-'));
  const commands: Command[] = [];
  const run = async (args: string[], name?: Command['name']): Promise<string> => {
    const started = performance.now();
    const command = startIndexer([...args, '--json'], { MASTHEAD_DATA_DIR: join(folder, 'data') });
    let code: number | string = 0;
    const memory = await watchMemory(command.pid, async () => {
      code = await command.ended;
    });
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${command.output()}`);
    if (name !== undefined) commands.push({ name, seconds: (performance.now() - started) / 1_000, memory });
    return command.output();
  };
  try {
    const [given, exported] = [join(folder, 'given.ndjson'), join(folder, `exported.${format}`)];
    await run(['sample', String(count), '--output', given]);
    await run(['import', '--keep-sample', given], 'import');
    await run(['export', exported], 'export');
    const summary = JSON.parse(await run(['import', '--keep-sample', exported], 'import again'));
    return { commands, summary };
  } finally {
    await rm(folder, { recursive: true });
  }
}
