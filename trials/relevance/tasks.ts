import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { filterFields } from '../../src/records/fields.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { everything, type Filter, firstPage } from '../../src/search/search-query.ts';
import { readAudience } from '../../src/search/understanding/read-audience.ts';
import { understand } from '../../src/search/understanding/understand.ts';
import { fold, nameKey } from '../../src/text/fold.ts';
import { hostAndParents, hostOfUrl } from '../../src/text/hosts.ts';
import { sample } from './names.ts';

/** A row of tasks.tsv: what a researcher asks, and how to tell which records are right. */
interface Task {
  class: string;
  query: string;
  /** Parameters beside the query: `language=zh; country=TW`. */
  filters: string;
  /**
   * How the first ten results are judged. `first`: 1 divided by the place of the first right record. `each`: the share of right
   * ones. `some`: the share of the names in `right` that are among them, of at most five. `none`: 1 if nothing is found.
   */
  score: 'first' | 'each' | 'some' | 'none';
  /** For `some`, names with commas between them. Otherwise patterns of fields, such as `type=radio; country=TR`. */
  right: string;
}

interface TaskOutcome {
  task: Task;
  /** From 0 to 1; null if no record of the store is right. */
  score: number | null;
  total: number;
  firstTen: readonly MediaRecord[];
}

const firstTen = firstPage(10);
const wantedNames = 5;
const people = 12;

export function readTasks(path: string): Task[] {
  const tasks: Task[] = parse(readFileSync(path), { columns: true, delimiter: '\t', quote: false });
  if (tasks.length === 0) throw new Error(`${path} holds no tasks`);
  return tasks;
}

/**
 * Searches for each task, and for a few contacts by their names. These are picked from the store by the seed, so that no file
 * names a person. A task has no score if the store has no right record for it.
 */
export async function runTasks(
  index: SearchIndex,
  tasks: readonly Task[],
  seed: number,
  match?: 'meaning',
): Promise<TaskOutcome[]> {
  const records = (await Array.fromAsync(await index.scan(everything))).flat();
  const outcomes: TaskOutcome[] = [];
  for (const task of [...tasks, ...(match === undefined ? askForPeople(records, seed) : [])]) {
    const { rest, filters } = readAudience(task.query);
    const query = {
      text: understand(rest),
      filters: [...readFilters(task.filters), ...filters],
      ...(match && { match }),
    };
    const found = await index.search(query, firstTen, 'masked');
    const score = judge(task, found.records, records);
    outcomes.push({ task, score, total: found.total, firstTen: found.records });
  }
  return outcomes;
}

/** The mean of each class and of all tasks, as lines. */
export function formatTasks(outcomes: readonly TaskOutcome[]): string {
  const lines = [...Map.groupBy(outcomes, ({ task }) => task.class)].map(([name, own]) => formatMean(name, own));
  return [...lines, formatMean('all', outcomes)].join('\n');
}

/** Lists the tasks with the lowest scores first, and what the search found. */
export function formatFailures(outcomes: readonly TaskOutcome[], limit: number): string {
  const failed = outcomes.filter(({ score }) => score !== null && score < 1);
  const worst = failed.toSorted((a, b) => (a.score ?? 0) - (b.score ?? 0)).slice(0, limit);
  return worst
    .map(({ task, score, total, firstTen }) => {
      const names = firstTen.map(({ name, type, kind, country, city }) =>
        [name, type ?? kind, country, city].join(' '),
      );
      return `${score?.toFixed(2)} ${task.class}: ${task.query} ${task.filters} (${total})\n     ${names.join(' | ')}`;
    })
    .join('\n');
}

export function meanOf(outcomes: readonly TaskOutcome[]): number {
  const scores = outcomes.map(({ score }) => score).filter((score) => score !== null);
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
}

function formatMean(name: string, outcomes: readonly TaskOutcome[]): string {
  const asked = outcomes.filter(({ score }) => score !== null).length;
  return `${name.padEnd(14)} ${String(asked).padStart(4)} ${meanOf(outcomes).toFixed(3)}`;
}

function judge({ score, right }: Task, found: readonly MediaRecord[], all: readonly MediaRecord[]): number | null {
  if (score === 'none') return found.length === 0 ? 1 : 0;
  if (score === 'some') {
    const names = right.split(',').map(nameKey);
    const isNamed = (name: string) => (record: MediaRecord) =>
      [record.name, ...record.aliases].some((one) => nameKey(one) === name);
    const known = names.filter((name) => all.some(isNamed(name))).length;
    const there = found.filter((record) => names.some((name) => isNamed(name)(record))).length;
    return known === 0 ? null : Math.min(1, there / Math.min(wantedNames, known));
  }
  const isRight = readPatterns(right);
  if (score === 'first') {
    if (!all.some(isRight)) return null;
    const place = found.findIndex(isRight);
    return place < 0 ? 0 : 1 / (place + 1);
  }
  const known = countUpTo(firstTen.limit, all, isRight);
  return known === 0 ? null : found.filter(isRight).length / known;
}

function countUpTo(limit: number, records: readonly MediaRecord[], isRight: (record: MediaRecord) => boolean): number {
  let count = 0;
  for (const record of records) {
    if (isRight(record)) count += 1;
    if (count === limit) break;
  }
  return count;
}

/** The values with which a pattern of fields is compared. For `name` and `text`, a part may match. */
const compared: Record<string, (record: MediaRecord) => readonly (string | null)[]> = {
  name: ({ name, aliases }) => [name, ...aliases],
  text: ({ name, aliases, description, tags, language, city, url, categories }) => [
    [name, ...aliases, description, ...tags, language, city, url, ...categories].join(' '),
  ],
  host: ({ url }) => hostAndParents((url && hostOfUrl(url)) ?? ''),
  contact: ({ contact_name }) => [contact_name],
  language: ({ language }) => [language?.split('-', 1)[0] ?? null],
};

function readPatterns(right: string): (record: MediaRecord) => boolean {
  const patterns = right.split('; ').map((pattern) => {
    const [field = '', source = ''] = pattern.split(/=(.*)/s);
    const isPart = field === 'name' || field === 'text';
    const expression = new RegExp(isPart ? source : `^(?:${source})$`, 'i');
    const valuesOf = compared[field] ?? ((record) => [record[field as 'city']]);
    return (record: MediaRecord) =>
      valuesOf(record).some((value) => value !== null && (expression.test(value) || expression.test(fold(value))));
  });
  return (record) => patterns.every((matches) => matches(record));
}

function readFilters(text: string): Filter[] {
  return text
    .split('; ')
    .filter(Boolean)
    .map((one) => {
      const [parameter, value = ''] = one.split('=');
      const field = filterFields.find(({ filter }) => filter.parameter === parameter);
      const canonical = field?.filter.canonical(value) ?? null;
      if (field === undefined || canonical === null) throw new Error(`"${one}" is not a filter`);
      return { field: field.key, any: [canonical], none: [] };
    });
}

function askForPeople(records: readonly MediaRecord[], seed: number): Task[] {
  const byName = Map.groupBy(records, ({ contact_name }) => contact_name ?? '');
  const names = [...byName.keys()].filter((name) => /^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}{3,}$/u.test(name));
  const unique = names.filter((name) => byName.get(name)?.length === 1).sort();
  return sample(unique, people, seed).map((name) => {
    return { class: 'people', query: name.toLowerCase(), filters: '', score: 'first', right: `contact=${name}` };
  });
}
