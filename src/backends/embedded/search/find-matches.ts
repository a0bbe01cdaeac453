import type { Condition } from '#search/conditions/conditions.ts';
import { type ContactFilter, type RecordFilter, splitFilters } from '#search/contact-filters.ts';
import { nameToken } from '#search/indexed/name-forms.ts';
import { pageToken } from '#search/indexed/record-tokens.ts';
import type { Filter } from '#search/search-query.ts';
import { cached } from '#text/memoize.ts';
import { filterToken, hostOfToken, hostToken } from '../index/index-text.ts';
import { comparisons, type OwnMatches } from './own-matches.ts';
import { type RecordSet, type RecordSets, sizeOf } from './record-sets.ts';
import { quote, quotePhrase, type RowSets } from './row-sets.ts';

type NameCondition = Extract<Condition, { is: 'name' }>;
type BeginningCondition = Extract<Condition, { is: 'nameBeginning' }>;

/**
 * Finds the records that meet conditions and pass filters. The full text finds the records of each word, and sets of records
 * combine them. Sets are kept until the index changes.
 */
export class Matches {
  readonly #rows: RowSets;
  readonly #contacts: OwnMatches;
  /** What the conditions of this query found. */
  #found = new Map<Condition, RecordSet>();

  constructor(rows: RowSets, contacts: OwnMatches) {
    this.#rows = rows;
    this.#contacts = contacts;
  }

  get sets(): RecordSets {
    return this.#rows.sets;
  }

  begin(): void {
    this.#found = new Map();
  }

  /** The records that meet a condition. */
  readonly find = (condition: Condition): RecordSet => cached(this.#found, condition, this.#compute);

  /** Those of the records that meet a condition. Stops early when none is left. */
  readonly findAmong = (records: RecordSet, condition: Condition): RecordSet => {
    const all = this.#found.get(condition);
    return all === undefined ? this.#rows.among(records, condition, this) : this.sets.intersect([records, all]);
  };

  /** The records that pass all filters; null if all do. */
  findPassing(filters: readonly Filter[]): RecordSet | null {
    if (filters.length === 0) return null;
    const { ofRecord, ofContact, ofNoContact } = splitFilters(filters);
    const passing = ofRecord.map((filter) => this.#findPassingOne(filter));
    if (ofContact.length > 0) passing.push(this.#findByContact(ofContact));
    const among = passing.length === 0 ? this.all() : this.sets.intersect(passing);
    if (ofNoContact.length === 0) return among;
    return this.sets.subtract(among, this.sets.unite(ofNoContact.map((filter) => this.#findByContact([filter]))));
  }

  all(): RecordSet {
    return this.#rows.ask('SELECT json_group_array(record) AS rows FROM documents NOT INDEXED');
  }

  readonly #compute = (condition: Condition): RecordSet => {
    switch (condition.is) {
      case 'word':
        return this.#rows.matchWords(condition.in, this.#rows.termsOf(condition));
      case 'phrase':
        return this.#rows.matchWords(condition.in, [quotePhrase(condition.words)]);
      case 'concept':
        return this.#rows.matchTokens([condition.concept]);
      case 'host': {
        const { hosts, edits, takesAllNear } = condition;
        const [first = ''] = hosts;
        const near =
          edits === 0 ? [] : this.#rows.vocabulary.findNear(hostToken(first), edits, takesAllNear).map(hostOfToken);
        return this.#findHosts([...near, ...hosts]);
      }
      case 'page':
        return this.#rows.matchTokens([pageToken(condition.page, condition.standing)]);
      case 'address':
        return this.#contacts.recordsOf(this.#contacts.find(condition), this.sets);
      case 'name':
        return this.#findNames([condition]);
      case 'nameBeginning':
        return this.#findBegun([condition]);
      case 'contact':
        return this.#contacts.recordsOf(this.#contacts.find(condition.meets), this.sets);
      case 'all':
      case 'atLeast':
        return this.#rows.combine(condition, this);
      case 'any': {
        const names = condition.of.filter((one) => one.is === 'name');
        const beginnings = condition.of.filter((one) => one.is === 'nameBeginning');
        const others = condition.of.filter((one) => one.is !== 'name' && one.is !== 'nameBeginning');
        return this.sets.unite([
          this.#findNames(names),
          this.#findBegun(beginnings),
          this.#rows.unite(others, this.find),
        ]);
      }
    }
  };

  #findPassingOne(filter: RecordFilter): RecordSet {
    if ('range' in filter) {
      const { range, bound, value } = filter;
      const sql = `SELECT json_group_array(record) AS rows FROM documents NOT INDEXED WHERE ${range} ${comparisons[bound]} ?`;
      return this.#rows.ask(sql, value);
    }
    const find = (values: readonly string[]) => {
      if ('field' in filter) {
        return this.#rows.matchTokens(values.map((value) => filterToken(filter.field, value)));
      }
      return filter.identity === 'url' ? this.#findHosts(values) : this.#findIds(values);
    };
    const any = filter.any.length === 0 ? this.all() : find(filter.any);
    return filter.none.length === 0 ? any : this.sets.subtract(any, find(filter.none));
  }

  /** The records with one contact that meets all of these filters. */
  #findByContact(filters: readonly ContactFilter[]): RecordSet {
    return this.#contacts.recordsOf(this.#contacts.findPassing(filters), this.sets);
  }

  /** Looks for all names at once, because most typed names are of no record. */
  #findNames(conditions: readonly NameCondition[]): RecordSet {
    const tokens: string[] = [];
    const near: string[] = [];
    for (const { form, keys, edits, takesAllNear } of conditions) {
      for (const key of keys) {
        const token = nameToken(form, key);
        tokens.push(token);
        if (edits > 0) near.push(...this.#rows.vocabulary.findNearNames(token, edits, takesAllNear));
      }
    }
    const records = this.#rows.matchTokens(tokens, near);
    if (sizeOf(records) === 0) for (const condition of conditions) this.#found.set(condition, records);
    return records;
  }

  #findBegun(beginnings: readonly BeginningCondition[]): RecordSet {
    return this.#rows.matchBeginnings(beginnings.map(({ key }) => nameToken('whole', key)));
  }

  /** Finds hosts, and names that spell one of them out: `news bbc co uk`. */
  #findHosts(hosts: readonly string[]): RecordSet {
    return this.sets.unite([
      this.#rows.match('hosts', hosts.map(hostToken).map(quote)),
      this.#rows.matchWords(
        'names',
        hosts.map((host) => quote(host.replaceAll(/[.-]/g, ' '))),
      ),
    ]);
  }

  #findIds(ids: readonly string[]): RecordSet {
    const sql = `
      SELECT json_group_array(r.record ORDER BY r.record) AS rows
      FROM (SELECT DISTINCT value FROM json_each(?)) AS p CROSS JOIN records AS r ON r.id = p.value
      WHERE EXISTS (SELECT 1 FROM documents AS d WHERE d.record = r.record)`;
    return this.#rows.ask(sql, JSON.stringify(ids));
  }
}
