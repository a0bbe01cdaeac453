import { setTimeout as pause } from 'node:timers/promises';
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import type { DeadLetter, Generation, IndexGenerations, RecordWriter } from '#ports/index-generations.ts';
import { StartupError } from '#ports/startup-error.ts';
import { BulkWriter } from './bulk-writer.ts';
import { longestPatienceMs } from './connect-elasticsearch.ts';
import { askElasticsearch } from './elasticsearch-faults.ts';
import { recordsMapping } from './records-mapping.ts';

/** An index of fewer records is not worth the wait for what a merge can drop of it. */
const worthWaiting = 100_000;
const longestWaitMs = 60_000;
const betweenLooksMs = 1_000;
const swapTries = 5;

/** Generations as the indices behind an alias, named `<alias>-<time of birth>`. */
export class AliasGenerations implements IndexGenerations {
  readonly #client: Client;
  readonly #alias: string;

  constructor(client: Client, alias: string) {
    this.#client = client;
    this.#alias = alias;
  }

  /**
   * @throws StartupError where INDEX_ALIAS is the name of an index.
   */
  async findServed(): Promise<Generation | null> {
    return askElasticsearch(async () => {
      const aliases = await this.#client.indices.getAlias({ name: this.#alias }, { ignore: [404] });
      const [index] = 'error' in aliases ? [] : Object.keys(aliases).toSorted();
      if (index !== undefined) return { index, records: await this.#count(index) };
      if (!(await this.#client.indices.exists({ index: this.#alias }))) return null;
      throw new StartupError(
        `INDEX_ALIAS ${this.#alias} is the name of an index: choose a name that is free for an alias.`,
      );
    });
  }

  /** Until it is finished it neither refreshes nor copies itself until it is finished. */
  async create(birth: Date): Promise<string> {
    const index = `${this.#alias}-${birth.toISOString().toLowerCase().replaceAll(/[-:.]/g, '')}`;
    const { settings, mappings } = recordsMapping;
    const filling = { refresh_interval: '-1', auto_expand_replicas: false, number_of_replicas: 0 };
    await askElasticsearch(() =>
      this.#client.indices.create({
        index,
        settings: { index: { ...settings.index, ...filling } as unknown as estypes.IndicesIndexSettings },
        mappings: mappings as estypes.MappingTypeMapping,
      }),
    );
    return index;
  }

  openWriter(index: string, reportDeadLetter: (letter: DeadLetter) => void): RecordWriter {
    return new BulkWriter(this.#client, index, reportDeadLetter);
  }

  /** Merges what was written into one segment (searches are up to 45 % faster), and lets it be searched. */
  async finish(index: string): Promise<Generation> {
    const { refresh_interval, auto_expand_replicas } = recordsMapping.settings.index;
    return askElasticsearch(async () => {
      await this.#client.indices.flush({ index });
      await this.#client.indices.refresh({ index });
      if ((await this.#count(index)) >= worthWaiting) await this.#untilSpareCopiesCanGo(index);
      await this.#client.indices.forcemerge({ index, max_num_segments: 1 }, { requestTimeout: longestPatienceMs });
      await this.#client.indices.putSettings({ index, settings: { refresh_interval, auto_expand_replicas } });
      await this.#client.indices.refresh({ index });
      return { index, records: await this.#count(index) };
    });
  }

  async publish(index: string): Promise<void> {
    await askElasticsearch(() => this.#swapAlias(index, swapTries));
  }

  /**
   * The engine looks up who holds the alias before it changes that, so of two swaps at a time both would add theirs. An
   * alias can have one write index only: the later swap is refused, looks again and takes the place.
   */
  async #swapAlias(index: string, tries: number): Promise<void> {
    try {
      await this.#client.indices.updateAliases({
        actions: [
          { remove: { index: `${this.#alias}-*`, alias: this.#alias, must_exist: false } },
          { add: { index, alias: this.#alias, is_write_index: true } },
        ],
      });
    } catch (error) {
      if (tries === 1 || !isSecondWriteIndex(error)) throw error;
      await this.#swapAlias(index, tries - 1);
    }
  }

  async remove(index: string): Promise<void> {
    await askElasticsearch(() => this.#client.indices.delete({ index }, { ignore: [404] }));
  }

  async removeOlder(index: string): Promise<void> {
    for (const known of await this.list()) {
      if (known < index && !(await this.#isBeingRead(known))) await this.remove(known);
    }
  }

  async list(): Promise<string[]> {
    return askElasticsearch(async () => {
      const found = await this.#client.indices.get({ index: `${this.#alias}-*`, features: 'aliases' });
      return Object.keys(found)
        .filter((name) => /^\d{8}t\d{9}z$/.test(name.slice(this.#alias.length + 1)))
        .toSorted();
    });
  }

  /** Whether an export still reads it. */
  async #isBeingRead(index: string): Promise<boolean> {
    return askElasticsearch(async () => {
      const { _all } = await this.#client.indices.stats({ index, metric: 'search' });
      return (_all.total?.search?.open_contexts ?? 0) > 0;
    });
  }

  /**
   * Elasticsearch keeps all that was written a second time, for replicas that may need it, and says each half minute from
   * where on. A merge drops what is older than that; it is 40 % of the index.
   */
  async #untilSpareCopiesCanGo(index: string): Promise<void> {
    const deadline = performance.now() + longestWaitMs;
    while (performance.now() < deadline) {
      const { indices } = await this.#client.indices.stats({ index, level: 'shards' });
      const shards = Object.values(indices?.[index]?.shards ?? {}).flat();
      const isDone = shards.every(({ seq_no, retention_leases }) =>
        retention_leases?.leases.every(({ retaining_seq_no }) => retaining_seq_no > (seq_no?.max_seq_no ?? 0)),
      );
      if (isDone) return;
      await pause(betweenLooksMs);
    }
  }

  async #count(index: string): Promise<number> {
    return (await this.#client.count({ index })).count;
  }
}

function isSecondWriteIndex(error: unknown): boolean {
  return error instanceof errors.ResponseError && /more than one write index/.test(JSON.stringify(error.body));
}
