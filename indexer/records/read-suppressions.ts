import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { readSuppression } from '#records/read-suppression.ts';
import type { MergedIds } from '#records/record-store.ts';
import {
  contactKeyAt,
  type NamedKind,
  namedKinds,
  recordOfKey,
  type Suppression,
  suppressionKey,
} from '#records/suppression.ts';
import { isCarriedLine, isSuppressionFile, readCarriedLine } from '#records/suppression-file.ts';
import { UsageError } from '#src/command-line/command-line.ts';
import { describeFaultList } from '#src/command-line/output.ts';

export type GivenSuppressions = Partial<Record<NamedKind, string[]>> & {
  /** Addresses, domains and ids, told apart by their form. */
  entries?: string[];
  /** A file that names more, or `-` for standard input. */
  from?: string;
};

/** An entry of another store, as it had it. */
type Carried = Pick<Suppression, 'reason' | 'follows'>;

/** What the operator named, and what another store handed over, which may be nothing. Each key is there once. */
export interface ReadSuppressions {
  named: string[];
  /** What the other store had, by key. */
  carried: Map<string, Carried>;
}

/**
 * Reads all given entries. A line of the file is an entry such as `address jane@x.org`, one of `suppress --export`, a comment
 * that starts with `#`, or empty. Throws UsageError for wrong options, and Error that lists faults of the file by line, without
 * addresses.
 */
export async function readSuppressions(sources: GivenSuppressions): Promise<ReadSuppressions> {
  const typedLines = namedKinds.flatMap((kind) =>
    (sources[kind] ?? []).map((text, index) => ({
      place: `--${kind} no. ${index + 1}`,
      ...readSuppression(kind, text),
    })),
  );
  typedLines.push(
    ...(sources.entries ?? []).map((text, at) => ({ place: `no. ${at + 1}`, ...readSuppression(kindOf(text), text) })),
  );
  const file = sources.from === undefined ? '' : await readText(sources.from);
  const listed = readLines(file);
  const lines: ReadLine[] = [...typedLines, ...listed];
  const faults = lines.flatMap((line) => ('fault' in line ? [`${line.place}: ${line.fault}`] : []));
  if (faults.length > 0) {
    const message = describeFaultList('nothing was changed:', faults);
    throw typedLines.some((line) => 'fault' in line) ? new UsageError(message) : new Error(message);
  }
  if (lines.length === 0 && !isSuppressionFile(file)) {
    const message = 'there is nothing to suppress. Give addresses, domains or ids, or use --from FILE.';
    throw sources.from === undefined ? new UsageError(message) : new Error(message);
  }
  const carried = new Map<string, Carried>();
  const typed = new Set<string>();
  for (const line of lines) {
    if (!('key' in line)) continue;
    if (line.carried === undefined) typed.add(line.key);
    else carried.set(line.key, line.carried);
  }
  return { named: [...typed], carried };
}

function kindOf(text: string): NamedKind {
  if (text.includes('@')) return 'address';
  return 'key' in readSuppression('domain', text) ? 'domain' : 'record';
}

type ReadLine = { place: string } & ({ key: string; carried?: Carried } | { fault: string });

function readLines(text: string): ReadLine[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index): ReadLine[] => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const place = `line ${index + 1}`;
    if (isCarriedLine(line)) return [{ place, ...readCarried(line) }];
    const [word = ''] = line.trim().split(/\s/, 1);
    const value = line.trim().slice(word.length);
    const kind = namedKinds.find((namedKind) => namedKind === word.toLowerCase());
    const suppression = kind
      ? readSuppression(kind, value)
      : { fault: 'a line must start with address, domain or record and a space' };
    return [{ place, ...suppression }];
  });
}

function readCarried(line: string): { key: string; carried: Carried } | { fault: string } {
  const result = readCarriedLine(line);
  if ('fault' in result) return result;
  const { key, ...carried } = result;
  return { key, carried };
}

async function readText(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read (${error.code}). Pass a readable file, or - for standard input.`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file === '-' ? 'standard input' : file} is not UTF-8 text. Save it as UTF-8.`);
  }
}

/** The ids of records among keys of suppressions. */
export function recordsOf(keys: readonly string[]): string[] {
  return keys.flatMap((key) => (key.startsWith('record ') ? (recordOfKey(key) ?? []) : []));
}

/**
 * Adds the keys of ids that were merged into these records, for the records and for people at them: if the merge is undone,
 * those must stay hidden too.
 */
export async function withMergedIds(
  mergedIds: Pick<MergedIds, 'listLeadingTo'>,
  keys: readonly string[],
): Promise<string[]> {
  const allKeys = new Set(keys);
  for (const key of keys) {
    const id = recordOfKey(key);
    if (id === null) continue;
    for (const other of await mergedIds.listLeadingTo([id])) {
      allKeys.add(key.startsWith('contact ') ? contactKeyAt(other, key) : suppressionKey('record', other));
    }
  }
  return [...allKeys];
}
