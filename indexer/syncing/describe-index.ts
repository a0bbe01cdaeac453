import type { IndexStatus, RebuildSummary, Verification } from '#search/index-maintenance.ts';
import { countOf } from '#text/printed.ts';
import { countDifferences } from './compare-index.ts';

const numbers = new Intl.NumberFormat('en');

/** What a rebuild did, for people. */
export function describeRebuild(summary: RebuildSummary): string {
  const { index, indexed, replaced, repaired, seconds, read, fillSeconds } = summary;
  const rate = numbers.format(Math.round(read / fillSeconds));
  if (replaced?.index === index) {
    return `${countOf(indexed, 'record')} indexed again in place in ${seconds.toFixed(1)} s (${rate}/s). The index held ${countOf(replaced.records, 'record')} before.`;
  }
  return [
    `${countOf(indexed, 'record')} indexed and compared in ${seconds.toFixed(1)} s (filled at ${rate}/s). ${index} is live now.`,
    ...(replaced === null ? [] : [`It replaces ${replaced.index} (${countOf(replaced.records, 'record')}).`]),
    ...(repaired === 0 ? [] : [`${countOf(repaired, 'record')} differed when compared and had to be rewritten.`]),
  ].join('\n');
}

/** What a comparison found, for people. */
export function describeComparison(verification: Verification, repairs: boolean): string {
  const { index, compared, missing, extra, stale, examples } = verification;
  const all = countDifferences(verification);
  if (all === 0) return `${index} matches the ${countOf(compared, 'record')} in the store.`;
  const kinds = Object.entries({ missing, extra, stale }).filter(([, number]) => number > 0);
  return [
    `${index} differed from the ${countOf(compared, 'record')} in the store in ${numbers.format(all)}: ${kinds.map(([kind, number]) => `${numbers.format(number)} ${kind}`).join(', ')}.`,
    ...examples.map(({ id, is }) => `  ${is} ${id}`),
    ...(examples.length < all ? ['  …'] : []),
    repairs ? 'They were fixed.' : 'To fix them: npm run indexer -- verify --repair',
  ].join('\n');
}

/** The state of the index, for people. */
export function describeStatus(status: IndexStatus): string {
  const { index, is_current, kept, outdated, stored, indexed, suppressions, dead_letters } = status;
  const { lag_seconds, is_followed, locks } = status;
  return [
    index === null ? 'There is no index yet. To build one: npm run indexer -- reindex' : `Searched:      ${index}`,
    ...(is_current === false ? ['Form:          outdated. To build a new index: npm run indexer -- reindex'] : []),
    `Kept:          ${kept.length === 0 ? 'none' : kept.join(', ')}`,
    ...(outdated.length === 0 ? [] : [`Outdated:      ${outdated.join(', ')}`]),
    `Records:       ${numbers.format(stored)} in the store, ${numbers.format(indexed)} in the index`,
    `Suppressions:  ${numbers.format(suppressions)}`,
    `Dead letters:  ${numbers.format(dead_letters)}`,
    `Behind:        ${lag_seconds === null ? 'unknown' : `${lag_seconds.toFixed(1)} s`}${is_followed ? '' : ', and no sync is running: npm run indexer -- sync'}`,
    ...locks.map(({ job, holder, since }) => `Running:       ${job}, by ${holder}, since ${since}`),
  ].join('\n');
}
