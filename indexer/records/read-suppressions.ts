import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { MergedIds } from '#records/record-store.ts';
import { readSuppression, type SuppressedKind, showKey, suppressionKey } from '#records/suppression.ts';
import { UsageError } from '#src/command-line/command-line.ts';
import { describeFaultList } from '#src/command-line/output.ts';

export type GivenSuppressions = Partial<Record<SuppressedKind, string[]>> & {
  /** Addresses, domains and ids, told apart by their form. */
  entries?: string[];
  /** A file that names more, or `-` for standard input. */
  from?: string;
};

const kinds: readonly SuppressedKind[] = ['address', 'domain', 'record'];

/**
 * The keys of all given entries, each once. A line of the file is an entry such as `address jane@x.org`, a comment that starts
 * with `#`, or empty. Throws UsageError for wrong options, and Error that lists faults of the file by line, without addresses.
 */
export async function readSuppressions(given: GivenSuppressions): Promise<string[]> {
  const named = kinds.flatMap((kind) =>
    (given[kind] ?? []).map((text, place) => ({ place: `--${kind} no. ${place + 1}`, ...readSuppression(kind, text) })),
  );
  named.push(
    ...(given.entries ?? []).map((text, at) => ({ place: `no. ${at + 1}`, ...readSuppression(kindOf(text), text) })),
  );
  const listed = given.from === undefined ? [] : readLines(await readText(given.from));
  const all = [...named, ...listed];
  const faults = all.flatMap((read) => ('fault' in read ? [`${read.place}: ${read.fault}`] : []));
  if (faults.length > 0) {
    const message = describeFaultList('nothing was changed:', faults);
    throw named.some((read) => 'fault' in read) ? new UsageError(message) : new Error(message);
  }
  if (all.length === 0) {
    const message = 'there is nothing to suppress. Give addresses, domains or ids, or use --from FILE.';
    throw given.from === undefined ? new UsageError(message) : new Error(message);
  }
  return [...new Set(all.flatMap((read) => ('key' in read ? [read.key] : [])))];
}

function kindOf(text: string): SuppressedKind {
  if (text.includes('@')) return 'address';
  return 'key' in readSuppression('domain', text) ? 'domain' : 'record';
}

function readLines(text: string) {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const [word = ''] = line.trim().split(/\s/, 1);
    const value = line.trim().slice(word.length);
    const kind = kinds.find((known) => known === word.toLowerCase());
    const read = kind
      ? readSuppression(kind, value)
      : { fault: 'a line must start with address, domain or record and a space' };
    return [{ place: `line ${index + 1}`, ...read }];
  });
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
  return keys.flatMap((key) => {
    const { kind, value } = showKey(key);
    return kind === 'record' ? [value] : [];
  });
}

/** Adds the keys of ids that were merged into these records: if the merge is undone, those records must stay hidden too. */
export async function withMergedIds(
  mergedIds: Pick<MergedIds, 'listLeadingTo'>,
  keys: readonly string[],
): Promise<string[]> {
  const leading = await mergedIds.listLeadingTo(recordsOf(keys));
  return [...new Set([...keys, ...leading.map((id) => suppressionKey('record', id))])];
}
