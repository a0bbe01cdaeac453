import { Command, Option } from 'commander';
import { atLeastOne } from '../options.ts';
import { type RoundTripOptions, runRoundTrip } from './run-round-trip.ts';

export const roundTripCommand = new Command('round-trip')
  .description('Imports generated records, exports them, and imports the export, which must change nothing')
  .option('--count <n>', 'how many records to generate', atLeastOne, 1_000_000)
  .addOption(new Option('--format <format>', 'the format of the export').choices(['ndjson', 'csv']).default('ndjson'))
  .action(async ({ count, format }: RoundTripOptions) => {
    const { commands, summary } = await runRoundTrip({ count, format });
    for (const { name, seconds, memory } of commands) {
      const rate = Math.round(count / seconds);
      console.log(`${name}: ${seconds.toFixed(1)} s, ${rate} records/s, at most ${memory?.toFixed(0) ?? '?'} MB`);
    }
    const { read, unchanged } = summary;
    console.log(`${read} records read again, ${read - unchanged} of them changed or rejected`);
    if (unchanged !== count) throw new Error('an import of an export must change nothing');
  });
