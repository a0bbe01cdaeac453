import type { RangeBound } from '#records/field-definition.ts';
import type { PresenceField } from '#records/fields.ts';
import type { Condition } from '#search/conditions/conditions.ts';
import { type ContactFilter, comparedAs, titleTokens } from '#search/contact-filters.ts';
import { nameToken } from '#search/indexed/name-forms.ts';
import type { ContactIds } from '#search/search-query.ts';
import { cached } from '#text/memoize.ts';
import type { IndexColumns } from '../index/index-columns.ts';
import { filterToken } from '../index/index-text.ts';
import { type RecordSet, type RecordSets, rowsOf } from './record-sets.ts';
import { quote, quotePhrase, type RowSets } from './row-sets.ts';

export const comparisons: Record<RangeBound, string> = { from: '>=', before: '<', to: '<=' };

const presenceTests: Record<PresenceField, string> = {
  contact_name: "contact_kind = 'person'",
  email: 'has_email = 1',
};

/** The contacts of a record are those from its start up to the start of the next. */
interface ContactsByRecord {
  starts: Uint32Array;
  contacts: Uint32Array;
}

/** Finds contacts by what they are themselves, and leads from contacts to their records and back. */
export class OwnMatches {
  readonly #rows: RowSets;
  readonly #columns: IndexColumns;
  #found = new Map<Condition, RecordSet>();
  /** The contacts of sets of records and the records of sets of contacts, as long as those sets are kept. */
  #ofRecords = new WeakMap<RecordSet, RecordSet>();
  #ofContacts = new WeakMap<RecordSet, RecordSet>();
  #byRecord: ContactsByRecord | null = null;

  constructor(rows: RowSets, columns: IndexColumns) {
    this.#rows = rows;
    this.#columns = columns;
  }

  get sets(): RecordSets {
    return this.#rows.sets;
  }

  renew(end: number): void {
    this.#rows.renew(end);
    this.#ofRecords = new WeakMap();
    this.#ofContacts = new WeakMap();
    this.#byRecord = null;
  }

  begin(): void {
    this.#found = new Map();
  }

  all(): RecordSet {
    return this.#ask('TRUE');
  }

  /** The contacts that meet what is within a condition `contact`. */
  readonly find = (condition: Condition): RecordSet => cached(this.#found, condition, () => this.#compute(condition));

  readonly findAmong = (contacts: RecordSet, condition: Condition): RecordSet =>
    this.#found.has(condition)
      ? this.sets.intersect([contacts, this.find(condition)])
      : this.#rows.among(contacts, condition, this);

  #compute(condition: Condition): RecordSet {
    switch (condition.is) {
      case 'word':
        return this.#rows.matchWords('people', this.#rows.termsOf(condition));
      case 'phrase':
        return this.#rows.matchWords('people', [quotePhrase(condition.words)]);
      case 'name': {
        const { form, keys } = condition;
        return this.#rows.matchTokens(keys.map((key) => nameToken(form, key)));
      }
      case 'address':
        return this.#rows.matchTokens([condition.token]);
      case 'concept':
        return this.#rows.matchTokens([condition.concept]);
      case 'all':
      case 'any':
      case 'atLeast':
        return this.#rows.combine(condition, this);
      default:
        throw new RangeError(`contacts have no ${condition.is}`);
    }
  }

  /** The contacts that meet all of these filters. */
  findPassing(filters: readonly ContactFilter[]): RecordSet {
    return this.sets.intersect(filters.map((filter) => this.#findPassingOne(filter)));
  }

  #findPassingOne(filter: ContactFilter): RecordSet {
    if ('present' in filter) return this.#ask(presenceTests[filter.present]);
    if ('range' in filter) return this.#ask(`verified_at ${comparisons[filter.bound]} ?`, filter.value);
    const { field, any } = filter;
    switch (comparedAs[field]) {
      case 'list':
        return this.#rows.matchTokens(any.map((value) => filterToken(field, value)));
      case 'words': {
        const texts = any.map((text) => `(${titleTokens(text).map(quote).join(' AND ')})`);
        return this.#rows.match(field, texts);
      }
      case 'value':
        return this.#ask(`${field} IN (SELECT value FROM json_each(?))`, JSON.stringify(any));
    }
  }

  #ask(test: string, ...values: (string | number)[]): RecordSet {
    const sql = `SELECT contact FROM contacts WHERE ${test} ORDER BY contact`;
    return this.#rows.ask(`SELECT json_group_array(contact) AS rows FROM (${sql})`, ...values);
  }

  /** These contacts of these media, or with `NOT IN` all others of them. */
  findNamed(named: ContactIds, isNamed: 'IN' | 'NOT IN'): RecordSet {
    const sql = `
      SELECT c.contact FROM json_each(?) AS p CROSS JOIN records AS r ON r.id = p.key CROSS JOIN contacts AS c ON c.record = r.record
      WHERE c.contact_id ${isNamed} (SELECT value FROM json_each(p.value)) ORDER BY c.contact`;
    return this.#rows.ask(`SELECT json_group_array(contact) AS rows FROM (${sql})`, contactIdsAsJson(named));
  }

  /** The contacts of these records. */
  contactsOf(records: RecordSet): RecordSet {
    return cached(this.#ofRecords, records, () => {
      this.#byRecord ??= groupByRecord(this.#columns.sorted('record'));
      const { starts, contacts } = this.#byRecord;
      // The last records may have no contacts.
      const [media, end] = [rowsOf(records), contacts.length];
      const startOf = (record: number) => starts[record] ?? end;
      const rows = new Uint32Array(media.reduce((sum, record) => sum + startOf(record + 1) - startOf(record), 0));
      let count = 0;
      for (const record of media) {
        for (let at = startOf(record); at < startOf(record + 1); at += 1) {
          rows[count] = contacts[at] as number;
          count += 1;
        }
      }
      return this.sets.of(isAscending(rows) ? rows : rows.sort());
    });
  }

  /** The records of these contacts. */
  recordsOf(contacts: RecordSet, sets: RecordSets): RecordSet {
    return cached(this.#ofContacts, contacts, () => {
      const recordOf = this.#columns.sorted('record');
      const records = rowsOf(contacts).slice();
      for (let at = 0; at < records.length; at += 1) records[at] = recordOf[records[at] as number] as number;
      return sets.of(eachOnce(isAscending(records) ? records : records.sort()));
    });
  }
}

/** The rows of an ascending list, each once. Writes over the list. */
function eachOnce(rows: Uint32Array): Uint32Array {
  let count = 0;
  for (const row of rows) {
    if (count > 0 && rows[count - 1] === row) continue;
    rows[count] = row;
    count += 1;
  }
  return rows.slice(0, count);
}

export function contactIdsAsJson(ids: ContactIds = new Map()): string {
  return JSON.stringify(Object.fromEntries(Array.from(ids, ([record, contacts]) => [record, [...contacts]])));
}

/** @param recordOf the record of each contact; NaN for rows without one */
function groupByRecord(recordOf: Float64Array): ContactsByRecord {
  const last = recordOf.reduce((most, record) => (record > most ? record : most), 0);
  const starts = new Uint32Array(last + 2);
  for (const record of recordOf) if (record >= 0) starts[record + 1] = (starts[record + 1] as number) + 1;
  for (let record = 0; record <= last; record += 1) {
    starts[record + 1] = (starts[record + 1] as number) + (starts[record] as number);
  }
  const next = starts.slice();
  const contacts = new Uint32Array(starts[last + 1] as number);
  for (const [contact, record] of recordOf.entries()) {
    if (!(record >= 0)) continue;
    contacts[next[record] as number] = contact;
    next[record] = (next[record] as number) + 1;
  }
  return { starts, contacts };
}

function isAscending(rows: Uint32Array): boolean {
  for (let at = 1; at < rows.length; at += 1) if ((rows[at] as number) < (rows[at - 1] as number)) return false;
  return true;
}
