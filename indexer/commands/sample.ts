import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, InvalidArgumentError } from 'commander';
import { generateSample } from '../generate-sample.ts';

export const sampleCommand = new Command('sample')
  .description('print generated records as NDJSON')
  .argument('<count>', 'how many', readWholeNumber)
  .option('--seed <seed>', 'the same seed gives the same records', readWholeNumber, 1)
  .action(async (count: number, { seed }: { seed: number }) => {
    const lines = Readable.from(generateSample({ count, seed })).map((record) => `${JSON.stringify(record)}\n`);
    await pipeline(lines, process.stdout).catch(passOverClosedPipe);
  });

function readWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0 to 999999999.');
  return Number(text);
}

/** A reader such as `head` may leave before the end. */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
