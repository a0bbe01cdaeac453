import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from '#search/conditions/conditions.ts';
import type { RowKind } from '#search/contact-row.ts';
import { groupFacets, isOpenFacet, joinFacets, withoutAudience } from '#search/facet-groups.ts';
import { searchableText } from '#search/indexed/searchable-text.ts';
import { blend, embedRecord, examples, likeness, type Meaning } from '#search/meaning/embed.ts';
import type { PlannedQuery } from '#search/plans/plan-query.ts';
import type {
  AlikeOptions,
  AlikeRecords,
  FacetCounts,
  FacetOptions,
  FirstRecord,
  NearRecord,
  RecordScan,
  ScanOptions,
  SearchIndex,
  SearchResult,
} from '#search/search-index.ts';
import type { Filter, Page, SearchQuery } from '#search/search-query.ts';
import { atMost, cached } from '#text/memoize.ts';
import { findOutage } from '../with-outage.ts';
import type { RenderedQuery } from './build-condition.ts';
import { buildAudiences, buildCount, buildDistinct, buildFacets, buildGroups, countingAsked } from './build-counts.ts';
import {
  buildContactPage,
  buildFind,
  buildFirst,
  buildNearest,
  buildPage,
  buildSearch,
  isRanked,
  maxFew,
} from './build-pages.ts';
import { chooseQuery, countDropped } from './choose-query.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { contactsOf } from './contact-document.ts';
import { askingContacts, readContactRows } from './contact-requests.ts';
import { IndexVersion } from './index-version.ts';
import { KnownTerms } from './known-terms.ts';
import { openContactScan } from './open-contact-scan.ts';
import { openScan } from './open-scan.ts';
import { buildReadiness, type SearchBody, withTotal } from './search-body.ts';
import {
  type Ask,
  droppedOfFew,
  type OneOrMore,
  rankFew,
  readAudiences,
  readDropped,
  readFacets,
  readNear,
  readPage,
  readRecords,
  readTotal,
  readWalked,
  splitGroups,
  withSearchRequests,
} from './search-requests.ts';

/** How many meanings are kept, at about half a kilobyte each: what is near to one text is near to others. */
const maxMeanings = 20_000;

export class ElasticsearchSearchIndex implements SearchIndex {
  readonly #cluster: Cluster;
  readonly #alias: string;
  readonly #known: KnownTerms;
  readonly #meanings = new LRUCache<string, { meaning: Meaning | null }>(atMost(maxMeanings));
  readonly #versions: Readonly<Record<RowKind, IndexVersion>>;

  /** @param settleMs as that of IndexVersion */
  constructor(cluster: Cluster, alias: string, settleMs?: number) {
    this.#cluster = cluster;
    this.#alias = alias;
    this.#known = new KnownTerms(cluster, alias);
    this.#versions = {
      records: new IndexVersion(cluster, [alias], settleMs),
      // The rows of contacts are read from the records.
      contacts: new IndexVersion(cluster, [alias, contactsOf(alias)], settleMs),
    };
  }

  async search(searchQuery: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult> {
    if (searchQuery.rows === 'contacts') return this.#searchContacts(searchQuery, page, visibility);
    const { text, filters } = searchQuery;
    return this.#ask([text, filters], async (ask) => {
      const build = (tried: RenderedQuery | null) => buildSearch(tried, filters, page, visibility);
      const chosen = await chooseQuery(ask, searchQuery, build, { ...page, known: this.#known });
      const { query, answers, total, isCorrected } = chosen;
      const [counted, listing = counted] = answers;
      const planned = query?.planned ?? null;
      if (page.after !== undefined) {
        const dropped = await countDropped(ask, chosen, filters);
        const { rows, next } = readWalked(listing, page, chosen.counted);
        return { records: readRecords(rows), total, isCorrected, dropped, next };
      }
      if (!isRanked(planned, page) || page.limit === 0) {
        const dropped = await countDropped(ask, chosen, filters);
        const records = page.limit === 0 ? [] : readPage(listing, planned, page);
        return { records, total, isCorrected, dropped };
      }
      if (total <= maxFew) {
        const dropped = droppedOfFew(listing, chosen.asked);
        return { records: rankFew(listing, planned, page), total, isCorrected, dropped };
      }
      const scoring = buildPage(query, filters, page, visibility);
      const [scored = listing] = await ask(countingAsked(scoring, chosen.asked, query?.render));
      const dropped = readDropped(scored, chosen.asked, total);
      return { records: readPage(scored, planned, page), total, isCorrected, dropped };
    });
  }

  async #searchContacts(searchQuery: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult> {
    const { filters } = searchQuery;
    return this.#askOf(searchQuery, async (ask) => {
      const build = (tried: RenderedQuery | null): OneOrMore<SearchBody> => [
        buildCount(tried, filters),
        ...(page.limit === 0 ? [] : [buildContactPage(tried, filters, page)]),
      ];
      const chosen = await chooseQuery(ask, searchQuery, build, { ...page, known: this.#known });
      const { answers, total, isCorrected } = chosen;
      const [counted, listed = counted] = answers;
      const dropped = await countDropped(ask, chosen, filters);
      const { rows, next } = page.after === undefined ? { rows: listed } : readWalked(listed, page, chosen.counted);
      const records = await readContactRows(rows, (ids) => this.findMany(ids, visibility));
      return { records, total, isCorrected, dropped, ...(next !== undefined && { next }) };
    });
  }

  async countFacets(searchQuery: SearchQuery, options: FacetOptions = {}): Promise<FacetCounts> {
    const { text, filters } = searchQuery;
    const groups = groupFacets(filters);
    const [first, ...further] = groups;
    const ofAudiences = options.audiences ? withoutAudience(filters) : null;
    // Without a text, most of these facets have more values than are read: the number of values is asked for at once.
    const long = text === null ? [{ ...first, fields: first.fields.filter(isOpenFacet) }] : [];
    const build = (tried: RenderedQuery | null): OneOrMore<SearchBody> =>
      tried !== null && text !== null
        ? [buildGroups(tried, groups, ofAudiences)]
        : [
            withTotal(buildFacets(tried, first)),
            ...further.map((group) => buildFacets(tried, group)),
            ...long.map((group) => buildDistinct(tried, group)),
            ...(ofAudiences === null ? [] : [buildAudiences(tried, ofAudiences)]),
          ];
    return this.#askOf(searchQuery, async (ask) => {
      const split = text === null ? null : splitGroups;
      const chosen = await chooseQuery(ask, searchQuery, build, { split, known: this.#known });
      const { query, answers, total, isCorrected } = chosen;
      const counted = await Promise.all(
        groups.map(({ fields, filters }, place) =>
          readFacets(answers[place], fields, async (cut) =>
            place in long
              ? answers[groups.length + place]
              : (await ask(buildDistinct(query, { fields: cut, filters })))[0],
          ),
        ),
      );
      const audiences = options.audiences ? { audiences: readAudiences(answers.at(-1)) } : {};
      const dropped = await countDropped(ask, chosen, filters);
      return { total, ...joinFacets(counted.flat()), isCorrected, dropped, ...audiences };
    });
  }

  async scan(query: SearchQuery, options: ScanOptions = {}): Promise<RecordScan> {
    const open = query.rows === 'contacts' ? openContactScan : openScan;
    return open(this.#cluster, this.#alias, query, options, this.#known);
  }

  async findMany(ids: readonly string[], visibility: Visibility): Promise<MediaRecord[]> {
    if (ids.length === 0) return [];
    return this.#ask(ids, async (ask) => {
      const [answer] = await ask(buildFind(ids, visibility));
      return answer === undefined ? [] : readRecords(answer);
    });
  }

  async findFirst(
    plans: readonly PlannedQuery[],
    filters: readonly Filter[],
    visibility: Visibility,
  ): Promise<FirstRecord[]> {
    if (plans.length === 0) return [];
    return this.#ask([plans, filters], async (ask) => {
      const answers = await ask(...plans.map((plan) => buildFirst(plan, filters, visibility)));
      return answers.map((answer) => ({ record: readRecords(answer)[0] ?? null, total: readTotal(answer) }));
    });
  }

  async findNearest(
    meaning: Meaning,
    filters: readonly Filter[],
    limit: number,
    within?: Condition,
  ): Promise<NearRecord[]> {
    return this.#ask([meaning, filters, within], async (ask) => {
      const [answer] = await ask(buildNearest(meaning, filters, limit, { within }));
      return answer === undefined ? [] : readNear(answer);
    });
  }

  async findAlike(
    meaning: Meaning,
    filters: readonly Filter[],
    { limit, minLikeness, within }: AlikeOptions,
    visibility: Visibility,
  ): Promise<AlikeRecords> {
    return this.#ask([meaning, filters, within, visibility], async (ask) => {
      const [answer] = await ask(buildNearest(meaning, filters, limit, { within, visibility }));
      const near = (answer === undefined ? [] : readRecords(answer)).flatMap((record) => {
        const itsMeaning = this.#meaningOf(record);
        return itsMeaning === null ? [] : [{ record, itsMeaning }];
      });
      const best = near.slice(0, examples).map(({ itsMeaning }) => itsMeaning);
      const wanted = blend(meaning, best);
      const alike = near.map(({ record, itsMeaning }) => {
        return { id: record.id, likeness: likeness(wanted, itsMeaning), record };
      });
      return { wanted, near: alike.filter(({ likeness }) => likeness >= minLikeness) };
    });
  }

  async sharpen(meaning: Meaning): Promise<Meaning> {
    return this.#ask(meaning, async (ask) => {
      const [answer] = await ask(buildNearest(meaning, [], examples, { visibility: 'masked' }));
      const records = answer === undefined ? [] : readRecords(answer);
      const meanings = records.flatMap((record) => this.#meaningOf(record) ?? []);
      return blend(meaning, meanings);
    });
  }

  async version(rows: RowKind): Promise<string | null> {
    return this.#versions[rows].read();
  }

  async findFault(): Promise<string | null> {
    const outage = await findOutage(() => this.#ask('', (ask) => ask(buildReadiness())));
    return outage && `search index: ${outage.message}`;
  }

  /** Making a meaning takes thirty times as long as finding that of the same record again. */
  #meaningOf(record: MediaRecord): Meaning | null {
    const key = hash('sha1', JSON.stringify(record), 'base64url');
    return cached(this.#meanings, key, () => ({ meaning: embedRecord(record, searchableText(record)) })).meaning;
  }

  /** Asks the index that has the rows of a query. */
  #askOf<Answer>({ text, filters, rows }: SearchQuery, work: (ask: Ask) => Promise<Answer>): Promise<Answer> {
    if (rows !== 'contacts') return this.#ask([text, filters], work);
    const index = contactsOf(this.#alias);
    return withSearchRequests(this.#cluster, index, [text, filters], (ask) => work(askingContacts(ask)));
  }

  #ask<Answer>(key: unknown, work: (ask: Ask) => Promise<Answer>): Promise<Answer> {
    return withSearchRequests(this.#cluster, this.#alias, key, work);
  }
}
