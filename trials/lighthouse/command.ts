import { Command } from 'commander';
import { runLighthouse } from './run-lighthouse.ts';

/** What each page must have in each category, on a quiet machine. */
const floor = 0.98;

export const lighthouseCommand = new Command('lighthouse')
  .description('Lets Lighthouse visit the explorer, a record and the plans: what it says of each')
  .action(showScores);

async function showScores(): Promise<void> {
  const measured = await runLighthouse({ records: 5_000, visits: 3 });
  if (measured === null) throw new Error('no Chromium is to be had');
  for (const { path, scores, faults } of measured) {
    const figures = Object.entries(scores).map(([category, score]) => `${category} ${Math.round(100 * score)}`);
    console.log([`${path}: ${figures.join(', ')}`, ...faults.map((fault) => `  ${fault}`)].join('\n'));
  }
  const isEnough = measured.every(({ scores }) => Object.values(scores).every((score) => score >= floor));
  process.exitCode = isEnough ? 0 : 1;
}
