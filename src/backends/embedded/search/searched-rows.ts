import type { DatabaseSync } from 'node:sqlite';
import type { RowKind } from '#search/contact-row.ts';
import type { SearchQuery } from '#search/search-query.ts';
import { IndexColumns } from '../index/index-columns.ts';
import { ContactMatches } from './contact-matches.ts';
import { Matches } from './find-matches.ts';
import { OwnMatches } from './own-matches.ts';
import { Deadline, RowSets } from './row-sets.ts';

/** Where rows of one kind are found, and how they are ordered and read. */
export interface Searched {
  rows: RowKind;
  matches: Pick<Matches, 'find' | 'findAmong' | 'findPassing' | 'all' | 'sets'>;
  columns: IndexColumns;
  /** What ORDER BY and reading need of a row `p.value`: its documents `d` and contacts `c`; its record `r`. */
  ordered: string;
  read: string;
  /** What is read besides the record. */
  besides: string;
}

/** The rows of both kinds, and the contacts by what they are themselves. They change together. */
export class SearchedRows {
  readonly records: Searched;
  readonly contacts: Searched;
  readonly people: OwnMatches;
  readonly #deadline: Deadline;
  readonly #texts: RowSets;
  readonly #media: Matches;
  readonly #ofContacts: ContactMatches;

  constructor(database: DatabaseSync, clock?: () => number) {
    this.#deadline = new Deadline(clock);
    this.#texts = new RowSets(database, 'search', this.#deadline);
    const texts = new RowSets(database, 'contact', this.#deadline);
    const columns = new IndexColumns(database, 'contacts');
    this.people = new OwnMatches(texts, columns);
    this.#media = new Matches(this.#texts, this.people);
    this.#ofContacts = new ContactMatches(texts, this.people, this.#media);
    this.records = {
      rows: 'records',
      matches: this.#media,
      columns: new IndexColumns(database, 'records'),
      ordered: 'CROSS JOIN documents AS d ON d.record = p.value ->> 0',
      read: 'CROSS JOIN records AS r ON r.record = p.value',
      besides: '',
    };
    this.contacts = {
      rows: 'contacts',
      matches: this.#ofContacts,
      columns,
      ordered: 'CROSS JOIN contacts AS c ON c.contact = p.value ->> 0 CROSS JOIN documents AS d ON d.record = c.record',
      read: 'CROSS JOIN contacts AS c ON c.contact = p.value CROSS JOIN records AS r ON r.record = c.record',
      besides: ', c.contact_id',
    };
  }

  /** The rows that a query asks for. */
  of({ rows }: SearchQuery): Searched {
    return this[rows ?? 'records'];
  }

  /** Forgets everything, because the index has changed. `ends`: the numbers above all rows of each kind. */
  renew(edition: number, ends: Readonly<Record<RowKind, number>>): void {
    this.#texts.renew(ends.records);
    this.people.renew(ends.contacts);
    this.records.columns.follow(edition, ends.records);
    this.contacts.columns.follow(edition, ends.contacts);
  }

  /** Begins a query, which may work for two seconds. What it found by then is kept for the next try. */
  begin(): void {
    this.#media.begin();
    this.people.begin();
    this.#ofContacts.begin();
    this.#deadline.begin();
  }
}
