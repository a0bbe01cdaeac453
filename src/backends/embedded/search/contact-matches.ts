import type { Condition } from '#search/conditions/conditions.ts';
import { splitFilters } from '#search/contact-filters.ts';
import type { Filter } from '#search/search-query.ts';
import { cached } from '#text/memoize.ts';
import type { Matches } from './find-matches.ts';
import type { OwnMatches } from './own-matches.ts';
import type { RecordSet, RecordSets } from './record-sets.ts';
import type { RowSets } from './row-sets.ts';

/** Finds contacts by what they are and by what their media are, where contacts are searched. */
export class ContactMatches {
  readonly #rows: RowSets;
  readonly #ownMatches: OwnMatches;
  readonly #media: Matches;
  #found = new Map<Condition, RecordSet>();

  constructor(rows: RowSets, ownMatches: OwnMatches, media: Matches) {
    this.#rows = rows;
    this.#ownMatches = ownMatches;
    this.#media = media;
  }

  get sets(): RecordSets {
    return this.#rows.sets;
  }

  begin(): void {
    this.#found = new Map();
  }

  all(): RecordSet {
    return this.#ownMatches.all();
  }

  /** The contacts that meet a condition: `contact` is about them, all else about their media. */
  readonly find = (condition: Condition): RecordSet =>
    cached(this.#found, condition, () => {
      if (condition.is === 'contact') return this.#ownMatches.find(condition.meets);
      if (!('of' in condition && mentionsContacts(condition)))
        return this.#ownMatches.contactsOf(this.#media.find(condition));
      if (condition.is !== 'any') return this.#rows.combine(condition, this);
      // What only asks for media is asked at once.
      const [ofContacts, ofMedia] = [true, false].map((mentions) =>
        condition.of.filter((part) => mentionsContacts(part) === mentions),
      );
      const media = this.#media.find({ is: 'any', of: ofMedia ?? [] });
      return this.sets.unite([
        this.#ownMatches.contactsOf(media),
        ...(ofContacts ?? []).map((part) => this.find(part)),
      ]);
    });

  /** Those of the contacts that meet a condition. */
  readonly findAmong = (contacts: RecordSet, condition: Condition): RecordSet =>
    this.sets.intersect([contacts, this.find(condition)]);

  /** The contacts that pass all filters; null if all do. */
  findPassing(filters: readonly Filter[]): RecordSet | null {
    if (filters.length === 0) return null;
    const { ofRecord, ofContact, ofNoContact } = splitFilters(filters);
    const media = this.#media.findPassing(ofRecord);
    const passing = media === null ? [] : [this.#ownMatches.contactsOf(media)];
    if (ofContact.length > 0) passing.push(this.#ownMatches.findPassing(ofContact));
    const among = passing.length === 0 ? this.all() : this.sets.intersect(passing);
    const refused = ofNoContact.map((filter) => this.#ownMatches.findPassing([filter]));
    return refused.length === 0 ? among : this.sets.subtract(among, this.sets.unite(refused));
  }
}

function mentionsContacts(condition: Condition): boolean {
  return condition.is === 'contact' || ('of' in condition && condition.of.some(mentionsContacts));
}
