import type { Command } from 'commander';
import { withBackends } from '#indexer/open-indexer.ts';
import { describeValue } from '#indexer/records/change-sets.ts';
import { type FoundDuplicates, findDuplicates } from '#indexer/records/find-duplicates.ts';
import { everSince, visibleBatches } from '#outbound/late-suppressions.ts';
import { bestFirst, type KeptContact } from '#records/contacts/contact.ts';
import { type Candidate, type DuplicateGroup, otherName } from '#records/duplicates/compare-media.ts';
import type { RecordStore } from '#records/record-store.ts';
import { withoutSuppressed } from '#records/suppression.ts';
import { type JsonFlag, print, printJson, printResult } from '#src/command-line/command-line.ts';
import { refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { createProgressDisplay } from '#src/command-line/progress.ts';
import { type Columns, toText, writeCsv } from '#src/encodings/columns.ts';
import { guardFormula } from '#src/encodings/formulas.ts';
import { countOf } from '#text/printed.ts';

interface DuplicatesSummary {
  searched: number;
  groups: number;
  records: number;
  left_out: FoundDuplicates['leftOut'];
  output: string | null;
}

export function addTo(program: Command): void {
  program
    .command('duplicates')
    .description('list records that seem to be the same medium, with reasons; changes nothing, see docs/data-staff.md')
    .option('--output <file>', 'write the groups to this CSV file')
    .action(listDuplicates);
}

async function listDuplicates({ output, json = false }: JsonFlag & { output?: string }): Promise<void> {
  if (output !== undefined) refuseExisting(output, 'Delete it');
  const display = createProgressDisplay({ isSilent: json });
  await withBackends(async ({ records, suppressions }) => {
    const stored = await records.count();
    // Suppressed records stay hidden, so they are not merged.
    const visible = visibleBatches(records.readAll(), suppressions);
    const { searched, groups, leftOut } = await findDuplicates(visible, (unit, done) => {
      const [title, total] = unit === 'records' ? ['reading', stored] : ['comparing', null];
      display.show({ title, done, total, count: done, unit });
    }).finally(display.stop);
    const groupsWithContacts = withContacts(groups, records, await suppressions.listKeysSince(everSince));
    if (output !== undefined) await writeOutputFile(output, writeCsv(rowsOf(groupsWithContacts), duplicateColumns));
    else await printGroups(groupsWithContacts, json);
    const count = groups.reduce((sum, { drop }) => sum + 1 + drop.length, 0);
    const summary = { searched, groups: groups.length, records: count, left_out: leftOut, output: output ?? null };
    printResult<DuplicatesSummary>(summary, describeSummary, json);
  });
}

async function* rowsOf(groups: AsyncIterable<ShownGroup>): AsyncGenerator<DuplicateRow[]> {
  let number = 0;
  for await (const group of groups) yield rowsOfGroup(group, ++number);
}

async function printGroups(groups: AsyncIterable<ShownGroup>, isJson: boolean): Promise<void> {
  let number = 0;
  for await (const group of groups) isJson ? printJson(group) : print(describeGroup(++number, group));
}

function describeGroup(number: number, { keep, drop }: ShownGroup): string {
  const lines = drop.map(({ record, score, reasons, against, like }) => {
    const why = like === keep.id ? reasons.join(', ') : `${reasons.join(', ')} as ${like}`;
    const but = against.length === 0 ? '' : `; but ${against.join(', ')}`;
    return `   ${actionFor({ against }) || 'look'} ${describeCandidate(record)}\n        ${score}: ${why}${but}`;
  });
  return [`${number}. keep ${describeCandidate(keep)}`, ...lines, ''].join('\n');
}

function describeCandidate({ id, name, city, country, url, fields, contacts }: ShownMember): string {
  const place = [city, country].filter((part) => part !== null).join(', ');
  const line = [id, [name, place].filter((part) => part !== '').join(' · '), url, countOf(fields, 'field')]
    .filter((part) => part !== null)
    .join('  ');
  return [line, ...contacts.map((contact) => `        ${contact}`)].join('\n');
}

function describeSummary({ searched, groups, records, left_out, output }: DuplicatesSummary): string {
  const searchedFor = `${countOf(searched, 'record')} searched: ${countOf(groups, 'group')} of ${countOf(records, 'record')}.`;
  const leftOut = Object.entries(left_out).map(
    ([kind, { keys, records: sharing }]) =>
      `Not compared because too many records share one: ${keys} × ${kind}, ${countOf(sharing, 'record')}.`,
  );
  const outputLine = output === null ? [] : [`Written to ${output}.`];
  return [searchedFor, ...leftOut, ...outputLine].join('\n');
}

/** A row for a record of a group of duplicates: what to do with it, and why. */
interface DuplicateRow {
  /** The number of its group, from 1. */
  group: number;
  /** Empty: a person must decide. Until then, the record stays as it is. */
  action: 'keep' | 'drop' | '';
  record: ShownMember;
  score: number | null;
  reasons: readonly string[];
  against: readonly string[];
  /** The id of the record that it resembles. */
  like: string | null;
}

/** The rows of a group, the record to keep first. */
function rowsOfGroup({ keep, drop }: ShownGroup, group: number): DuplicateRow[] {
  return [
    { group, action: 'keep', record: keep, score: null, reasons: [], against: [], like: null },
    ...drop.map((duplicate): DuplicateRow => ({ group, action: actionFor(duplicate), ...duplicate })),
  ];
}

/** Records with other names or addresses may be two media, such as colleagues in lists of people: a person must decide. */
function actionFor({ against }: Pick<DuplicateRow, 'against'>): 'drop' | '' {
  return against.includes(otherName) || against.includes(otherAddress) ? '' : 'drop';
}

const columns: readonly [heading: string, value: (row: DuplicateRow) => Parameters<typeof toText>[0]][] = [
  ['group', ({ group }) => group],
  ['action', ({ action }) => action],
  ['id', ({ record }) => record.id],
  ['name', ({ record }) => record.name],
  ['city', ({ record }) => record.city],
  ['country', ({ record }) => record.country],
  ['url', ({ record }) => record.url],
  ['contacts', ({ record }) => record.contacts.join(' | ')],
  ['fields', ({ record }) => record.fields],
  ['last_verified_at', ({ record }) => record.last_verified_at],
  ['score', ({ score }) => score],
  ['like', ({ like }) => like],
  ['reasons', ({ reasons }) => reasons.join('; ')],
  ['against', ({ against }) => against.join('; ')],
];

/** The file that `duplicates --output` writes and `merge --from` reads. */
const duplicateColumns: Columns<DuplicateRow> = {
  headings: columns.map(([heading]) => heading),
  toCells: (row) => columns.map(([, value]) => guardFormula(toText(value(row)))),
};

/** A record of a group as people see it: with its contacts, best first, who they are and how to reach them. */
type ShownMember = Candidate & { contacts: string[] };
type ShownGroup = DuplicateGroup<ShownMember>;

/** What speaks against dropping a record, even though a merge keeps the address. */
const otherAddress = 'an address that the kept one lacks';

/** The groups with the contacts of their records, as the store has them now, without those that suppressions hide. */
async function* withContacts(
  groups: readonly DuplicateGroup[],
  records: Pick<RecordStore, 'find'>,
  suppressed: ReadonlySet<string>,
): AsyncGenerator<ShownGroup> {
  const contactsOf = async ({ id }: Candidate): Promise<readonly KeptContact[]> => {
    const record = await records.find(id);
    return (record && withoutSuppressed(record, suppressed))?.contacts ?? [];
  };
  for (const { keep, drop } of groups) {
    const ofKept = await contactsOf(keep);
    const keptAddresses = new Set(addressesOf(ofKept));
    const members = drop.map(async ({ record, against, ...duplicate }) => {
      const contacts = await contactsOf(record);
      const isLacking = addressesOf(contacts).some((address) => !keptAddresses.has(address));
      return {
        ...duplicate,
        record: showMember(record, contacts),
        against: isLacking ? [...against, otherAddress] : against,
      };
    });
    yield { keep: showMember(keep, ofKept), drop: await Promise.all(members) };
  }
}

function showMember(member: Candidate, contacts: readonly KeptContact[]): ShownMember {
  return { ...member, contacts: bestFirst(contacts).map(describeValue) };
}

function addressesOf(contacts: readonly KeptContact[]): string[] {
  return contacts.flatMap(({ email }) => email?.toLowerCase() ?? []);
}
