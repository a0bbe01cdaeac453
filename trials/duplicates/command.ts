import { Command } from 'commander';
import { generateSample } from '../../src/sample/generate-sample.ts';
import { atLeastOne } from '../options.ts';
import { sample } from '../relevance/names.ts';
import { type Measured, measureDuplicates, type ProposedPair, type Recall } from './measure-duplicates.ts';
import { readRecords } from './read-records.ts';

interface Options {
  records: string[];
  count: number;
  every: number;
  seed: number;
  pairs: number;
  missed: number;
}

/** The least share of copies that a search for duplicates must find. */
export const minRecall = 0.95;

export const duplicatesCommand = new Command('duplicates')
  .description(
    'Copies records with other spellings of name and URL, and counts how many copies are found as duplicates',
  )
  .option('--records <file...>', 'record files, as the importer takes them; otherwise generated records', [])
  .option('--count <n>', 'how many records to generate', atLeastOne, 100_000)
  .option('--every <n>', 'copies one of n records', atLeastOne, 1)
  .option('--seed <n>', 'makes the same copies again', atLeastOne, 1)
  .option('--pairs <n>', 'prints n proposed pairs of each sort, to be read', atLeastOne, 0)
  .option('--missed <n>', 'prints n copies that were not found', atLeastOne, 0)
  .action(async ({ records, count, every, seed, pairs, missed }: Options) => {
    const source = records.length > 0 ? readRecords(records) : generateSample({ count, seed });
    const measured = await measureDuplicates(source, { every, seed });
    printFigures(measured);
    printPairs('pairs of records that were there before', sample(measured.ofOriginals, pairs, seed));
    printPairs('pairs of a copy and another record', sample(measured.ofCopies, pairs, seed));
    for (const one of sample(measured.missed, missed, seed)) console.log(`${one.rules}: ${one.name} → ${one.copied}`);
    if (shareOf(measured.recall) < minRecall)
      throw new Error(`fewer than ${minRecall * 100} % of the copies were found`);
  });

export function shareOf({ copies, found }: Recall): number {
  return copies === 0 ? 1 : found / copies;
}

function printFigures(measured: Measured): void {
  const { records, groups, recall, recallByRule, ofOriginals, ofCopies, leftOut, memory, seconds } = measured;
  console.log(`${records} records in ${seconds.toFixed(1)} s and ${memory} MB: ${groups} groups`);
  for (const [rule, counts] of [['all', recall], ...Object.entries(recallByRule)] as const) {
    console.log(`${rule.padEnd(6)} ${counts.found} of ${counts.copies} copies found (${shareOf(counts).toFixed(4)})`);
  }
  console.log(`${ofOriginals.length} more pairs of records that were there before, ${ofCopies.length} of copies`);
  console.log(`not compared for: ${JSON.stringify(leftOut)}`);
}

function printPairs(title: string, pairs: readonly ProposedPair[]): void {
  if (pairs.length > 0) console.log(`\n${pairs.length} ${title}`);
  for (const { score, reasons, keep, drop } of pairs) {
    console.log(`${score}: ${reasons.join(', ')}`);
    for (const { id, name, city, country, url } of [keep, drop]) {
      console.log(`    ${[id, name, city, country, url].map((part) => part ?? '?').join(' | ')}`);
    }
  }
}
