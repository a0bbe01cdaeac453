import type { Visibility } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from '#search/conditions.ts';
import { groupFacets, isOpenFacet, joinFacets, withoutAudience } from '#search/facet-groups.ts';
import { blend, embedRecord, examples, type Meaning } from '#search/meaning/embed.ts';
import type { PlannedQuery } from '#search/plan-query.ts';
import type {
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
import { searchableText } from '#search/searchable-text.ts';
import { findOutage } from '../with-outage.ts';
import {
  buildAudiences,
  buildContactPage,
  buildCount,
  buildDistinct,
  buildFacets,
  buildFind,
  buildFirst,
  buildGroups,
  buildNearest,
  buildPage,
  buildReadiness,
  buildSearch,
  isRanked,
  maxFew,
  type RenderedQuery,
  type SearchBody,
  withTotal,
} from './build-query.ts';
import { chooseQuery } from './choose-query.ts';
import type { Cluster } from './connect-elasticsearch.ts';
import { contactsOf } from './contact-document.ts';
import { askingContacts, readContactRows } from './contact-requests.ts';
import { openContactScan } from './open-contact-scan.ts';
import { openScan } from './open-scan.ts';
import {
  type Ask,
  type OneOrMore,
  rankFew,
  readAudiences,
  readFacets,
  readNear,
  readPage,
  readRecords,
  readTotal,
  splitGroups,
  withSearchRequests,
} from './search-requests.ts';

export class ElasticsearchSearchIndex implements SearchIndex {
  readonly #cluster: Cluster;
  readonly #alias: string;

  constructor(cluster: Cluster, alias: string) {
    this.#cluster = cluster;
    this.#alias = alias;
  }

  async search(asked: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult> {
    if (asked.rows === 'contacts') return this.#searchContacts(asked, page, visibility);
    const { text, filters } = asked;
    return this.#ask([text, filters], async (ask) => {
      const { query, answers, isCorrected, dropped } = await chooseQuery(ask, asked, (tried) =>
        buildSearch(tried, filters, page, visibility),
      );
      const [counted, found = counted] = answers;
      const planned = query?.planned ?? null;
      const how = { total: readTotal(counted), isCorrected, dropped };
      if (!isRanked(planned, page)) return { records: readPage(found, planned, page), ...how };
      if (how.total <= maxFew) return { records: rankFew(found, planned, page), ...how };
      const [scored = found] = await ask(buildPage(query, filters, page, visibility));
      return { records: readPage(scored, planned, page), ...how };
    });
  }

  async #searchContacts(asked: SearchQuery, page: Page, visibility: Visibility): Promise<SearchResult> {
    const { filters } = asked;
    const { answers, isCorrected, dropped } = await this.#askOf(asked, (ask) =>
      chooseQuery(ask, asked, (tried) => [buildCount(tried, filters), buildContactPage(tried, filters, page)]),
    );
    const [counted, listed = counted] = answers;
    const records = await readContactRows(listed, (ids) => this.findMany(ids, visibility));
    return { records, total: readTotal(counted), isCorrected, dropped };
  }

  async countFacets(asked: SearchQuery, options: FacetOptions = {}): Promise<FacetCounts> {
    const { text, filters } = asked;
    const groups = groupFacets(filters);
    const [first, ...others] = groups;
    const ofAudiences = options.audiences ? withoutAudience(filters) : null;
    // Without a text, most of these facets have more values than are read: the number of values is asked for at once.
    const long = text === null ? [{ ...first, fields: first.fields.filter(isOpenFacet) }] : [];
    const build = (tried: RenderedQuery | null): OneOrMore<SearchBody> =>
      tried !== null && text !== null
        ? [buildGroups(tried, groups, ofAudiences)]
        : [
            withTotal(buildFacets(tried, first)),
            ...others.map((group) => buildFacets(tried, group)),
            ...long.map((group) => buildDistinct(tried, group)),
            ...(ofAudiences === null ? [] : [buildAudiences(tried, ofAudiences)]),
          ];
    return this.#askOf(asked, async (ask) => {
      const split = text === null ? null : splitGroups;
      const { query, answers, isCorrected, dropped } = await chooseQuery(ask, asked, build, split);
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
      return { total: readTotal(answers[0]), ...joinFacets(counted.flat()), isCorrected, dropped, ...audiences };
    });
  }

  async scan(query: SearchQuery, options: ScanOptions = {}): Promise<RecordScan> {
    const open = query.rows === 'contacts' ? openContactScan : openScan;
    return open(this.#cluster, this.#alias, query, options);
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

  async sharpen(meaning: Meaning): Promise<Meaning> {
    return this.#ask(meaning, async (ask) => {
      const [answer] = await ask(buildNearest(meaning, [], examples, { readsRecords: true }));
      const records = answer === undefined ? [] : readRecords(answer);
      const meanings = records.flatMap((record) => embedRecord(record, searchableText(record)) ?? []);
      return blend(meaning, meanings);
    });
  }

  async findFault(): Promise<string | null> {
    const outage = await findOutage(() => this.#ask('', (ask) => ask(buildReadiness())));
    return outage && `search index: ${outage.message}`;
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
