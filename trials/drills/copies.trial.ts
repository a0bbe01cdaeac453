import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { applyFinding } from '../../indexer/records/assess-address.ts';
import { undoChanges } from '../../indexer/records/undo-changes.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { contactSuppressionKey, suppressionKey } from '../../src/records/suppression.ts';
import { Dice } from '../../src/sample/dice.ts';
import { type TestBackend, testBackends } from '../../test/support/backends.ts';
import { Copy, exported, untilHeard } from '../../test/support/copy.ts';
import { ofForm, readSeed } from '../../test/support/form.ts';
import { withFirstContact } from '../../test/support/made-contact.ts';
import { madePatch } from '../../test/support/made-record.ts';
import { SupervisedIndexer, startIndexer } from '../../test/support/processes.ts';
import { useOne } from '../../test/support/use.ts';

const seed = readSeed();
const operations = ofForm(150, 20_000);
const betweenRareWork = ofForm(40, 400);
/** Few, so that operations often meet. */
const ids = Array.from({ length: 24 }, (_, place) => `medium-${place}`);
const people = ['Ann Roe', 'Bob Poe', 'Cat Doe', null];
const hosts = ['daily.example', 'post.example', 'radio.example'];
const addresses = hosts.flatMap((host) => [`news@${host}`, `ann@${host}`, `bob@${host}`]);
const cities = ['Leeds', 'York', 'Hull', null];

describe.each(testBackends)('copies that only apply changes, $name', ({ name, open }) => {
  const backend = useOne(open);

  it(
    `equal the API after ${operations} random operations, with kills`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'masthead-copies-'));
      const isProduction = backend.syncDeps !== null;
      const sync = isProduction ? new SupervisedIndexer(['sync'], backend.settings) : null;
      try {
        await untilHeard(backend);
        const copies = [
          await Copy.begin(backend),
          await Copy.begin(backend, ['outlet']),
          await Copy.begin(backend, ['podcast']),
        ];
        const staff = new Staff(backend, new Dice(seed), folder, sync);
        const did: Record<string, number> = {};
        let heard = 0;
        for (let operation = 1; operation <= operations; operation += 1) {
          const done = await staff.doAny(operation % betweenRareWork === 0 ? rareWork : usualWork);
          did[done] = (did[done] ?? 0) + 1;
          for (const copy of copies) {
            if (staff.dice.below(4) === 0) heard += (await copy.catchUp(1 + staff.dice.below(10))).length;
          }
          if (operation % 50 !== 0 && operation !== operations) continue;
          await untilHeard(backend);
          for (const copy of copies) {
            heard += (await copy.catchUp()).length;
            const differences = compare(copy.records, await exported(backend, copy.kinds));
            expect(differences, `${copy.kinds} after ${operation} operations, the last of them ${done}`).toEqual([]);
          }
          // Only a copy of all kinds hears of every merge in a chain.
          const [copy] = copies as [Copy, ...Copy[]];
          const leads = await backend.mergedIds.resolve([...copy.merged.keys()]);
          for (const [id, keptId] of leads) expect(copy.keptIdOf(id), id).toBe(keptId);
        }
        console.log(`${name}: ${heard} changes heard of ${JSON.stringify(did)}`);
        expect(heard).toBeGreaterThan(operations / 4);
        expect(Object.keys(did).length).toBeGreaterThan(8);
      } finally {
        await sync?.stop();
        await rm(folder, { recursive: true });
      }
    },
    3 * 60 * 60_000,
  );
});

/** The ids of records that a copy has otherwise than the API, with what is different. */
function compare(copy: ReadonlyMap<string, MediaRecord>, api: ReadonlyMap<string, MediaRecord>): string[] {
  return ids.flatMap((id) => {
    const [mine, theirs] = [copy.get(id), api.get(id)];
    if (isDeepStrictEqual(mine, theirs)) return [];
    const keys = Object.keys({ ...mine, ...theirs }) as (keyof MediaRecord)[];
    const differing = keys.filter((key) => !isDeepStrictEqual(mine?.[key], theirs?.[key]));
    return [
      `${id}: ${mine?.updated_at} in the copy, ${theirs?.updated_at} in the API, other in ${differing.slice(0, 9)}`,
    ];
  });
}

const usualWork = [
  ...([
    'import',
    'import',
    'import',
    'set',
    'check',
    'undo',
    'undo',
    'merge',
    'delete',
    'suppress',
    // Twice, so that in long runs most media stay visible.
    'unsuppress',
    'unsuppress',
  ] as const),
];
const rareWork = ['rebuild', 'roll back', 'repair', 'kill the sync', 'kill an import', 'kill a suppression'] as const;
type Work = (typeof usualWork)[number] | (typeof rareWork)[number];

/** Data staff that do something at random. */
class Staff {
  readonly dice: Dice;
  readonly #backend: TestBackend;
  readonly #folder: string;
  readonly #sync: SupervisedIndexer | null;
  readonly #sets: string[] = [];

  constructor(backend: TestBackend, dice: Dice, folder: string, sync: SupervisedIndexer | null) {
    this.#backend = backend;
    this.dice = dice;
    this.#folder = folder;
    this.#sync = sync;
  }

  /** Does one operation of these, and returns its name. */
  async doAny(kinds: readonly Work[]): Promise<string> {
    const chosen = this.dice.pick(kinds);
    await this.#work[chosen]();
    return chosen;
  }

  readonly #work: Record<Work, () => Promise<unknown>> = {
    import: () => this.#inSet((set) => this.#backend.records.merge(this.#rows(), set)),
    set: () =>
      this.#inSet((set) =>
        this.#backend.records.amend([this.dice.pick(ids)], () => ({ city: this.dice.pick(cities) }), set),
      ),
    check: () =>
      this.#inSet((set) => {
        const check = (record: MediaRecord) => {
          const found =
            record.email === null ? null : applyFinding(record, 'no_such_domain', '2026-06-01T00:00:00.000Z');
          return found && { contacts: withFirstContact(record, found) };
        };
        return this.#backend.records.amend([this.dice.pick(ids), this.dice.pick(ids)], check, set);
      }),
    undo: async () => {
      const set = await this.#backend.changes.find(this.#sets.at(-1 - this.dice.below(8)) ?? '');
      if (set === null) return;
      const { id } = await undoChanges({ ...this.#backend, operator: 'ada' }, set);
      if (id !== null) this.#sets.push(id);
    },
    merge: async () => {
      const [keep, drop] = [this.dice.pick(ids), this.dice.pick(ids)];
      if (keep !== drop) await this.#inSet((set) => this.#backend.records.mergeDuplicates(keep, [drop], set));
    },
    delete: () => this.#inSet((set) => this.#backend.records.remove([this.dice.pick(ids)], set)),
    suppress: async () => {
      const key = this.dice.pick([
        suppressionKey('record', this.dice.pick(ids)),
        suppressionKey('address', this.dice.pick(addresses)),
        suppressionKey('domain', this.dice.pick(hosts)),
        contactSuppressionKey(this.dice.pick(ids), this.dice.pick(people)),
      ]);
      if (key === null) return;
      await this.#backend.maintenance.suppress([{ key, reason: null, addedAt: new Date().toISOString() }]);
    },
    unsuppress: async () => {
      const listed = await this.#backend.suppressions.list();
      if (listed.length > 0) await this.#backend.maintenance.unsuppress([this.dice.pick(listed).key]);
    },
    rebuild: () =>
      this.#backend.maintenance.rebuild({ allowsShrink: true }).catch((error) => {
        // Refused where every record is hidden, as an empty index always is.
        if (!`${error}`.includes('None of the records in the store could be indexed')) throw error;
      }),
    'roll back': () => this.#backend.maintenance.rollBack(null).catch(() => {}),
    repair: () => this.#backend.maintenance.verify({ repairs: true }),
    'kill the sync': async () => this.#sync?.current.kill('SIGKILL'),
    'kill an import': async () => {
      const file = join(this.#folder, 'rows.ndjson');
      const rows = ids.map((id) => ({ id, kind: 'outlet', name: `Medium ${id}`, city: this.dice.pick(cities) }));
      await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      await this.#cutOff('import', file);
    },
    'kill a suppression': () => this.#cutOff('suppress', '--record', this.dice.pick(ids)),
  };

  /** Starts a command, and kills it before it has ended, somewhere. */
  async #cutOff(...args: string[]): Promise<void> {
    const command = startIndexer(args, this.#backend.settings);
    await Promise.race([command.ended, pause(500 + this.dice.below(2_500))]);
    command.kill('SIGKILL');
    await command.ended;
  }

  async #inSet(work: (set: string) => Promise<unknown>): Promise<void> {
    const id = crypto.randomUUID();
    const startedAt = new Date().toISOString();
    await this.#backend.changes.begin({ id, action: 'import', operator: 'ada', startedAt, undoes: null });
    await work(id);
    await this.#backend.changes.end(id, { endedAt: new Date().toISOString(), counts: {}, files: [] });
    this.#sets.push(id);
  }

  #rows() {
    return Array.from({ length: 1 + this.dice.below(4) }, () =>
      madePatch({
        id: this.dice.pick(ids),
        kind: this.dice.pick(['outlet', 'outlet', 'outlet', 'podcast'] as const),
        name: this.dice.pick(['The Daily', 'The Post']),
        city: this.dice.pick(cities),
        url: `https://${this.dice.pick(hosts)}/`,
        ...(this.dice.below(2) === 0 && { contact_name: this.dice.pick(people), email: this.dice.pick(addresses) }),
      }),
    );
  }
}
