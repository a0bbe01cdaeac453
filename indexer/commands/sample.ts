import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { pickKeys } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { generateSample } from '#sample/generate-sample.ts';
import { type JsonFlag, printResult, readNumber } from '#src/command-line/command-line.ts';
import { countOf } from '#text/printed.ts';

type SampleFlags = JsonFlag & { seed: number; output?: string };

export function addTo(program: Command): void {
  program
    .command('sample')
    .description('generate sample records as NDJSON, on standard output or in a file')
    .argument('<count>', 'number of records', readNumber(0))
    .option('--seed <seed>', 'the same seed generates the same records', readNumber(0), 1)
    .option('--output <file>', 'write the records to this file; overwrites it')
    .action(writeSample);
}

async function writeSample(count: number, { seed, output, json = false }: SampleFlags): Promise<void> {
  const records = generateSample({ count, seed });
  if (output === undefined) {
    const chunks = json ? asArray(records) : asLines(records);
    await pipeline(Readable.from(chunks), process.stdout).catch(passOverClosedPipe);
    return;
  }
  await pipeline(Readable.from(asLines(records)), createWriteStream(output)).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${output} cannot be written (${error.code}). Use a file in an existing folder.`);
  });
  printResult({ records: count, output }, () => `${countOf(count, 'record')} written to ${output}.`, json);
}

function* asLines(records: Iterable<MediaRecord>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(pickKeys(record, null))}\n`;
}

function* asArray(records: Iterable<MediaRecord>): Generator<string> {
  let before = '[';
  for (const record of records) {
    yield before + JSON.stringify(pickKeys(record, null));
    before = ',';
  }
  yield before === '[' ? '[]\n' : ']\n';
}

/** A reader such as `head` may stop before the end, which is no error. */
function passOverClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}
