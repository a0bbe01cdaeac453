import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyFinding, type Finding } from '#indexer/records/assess-address.ts';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import type { ChangeSet } from '#records/changes/change-set.ts';
import type { MediaRecord, RecordPatch } from '#records/media-record.ts';
import { testStores } from '#testing/backends.ts';
import { ofForm } from '#testing/form.ts';
import { withFirstContact } from '#testing/made-contact.ts';
import { contentOf, madePatch, madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

/** A command that changes records; `cut` cuts it off somewhere. Ids are places. */
type Change =
  | { is: 'import'; rows: RecordPatch[]; cut: boolean }
  | { is: 'delete'; places: number[]; cut: boolean }
  | { is: 'merge'; keep: number; drop: number; cut: boolean }
  | { is: 'check-emails'; finding: Finding; cut: boolean };
/** Sets are counted from the last. */
type Undo = { is: 'undo'; back: number; cut: boolean };

const place = fc.nat(3);
/** Few values, so that steps often meet: the same value again, another one, none. */
const some = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: null });
/** Rows as the normalizer leaves them. */
const row = fc
  .record(
    {
      name: fc.constantFrom('The Herald', 'The Post'),
      aliases: fc.constantFrom<string[][]>([], ['Herald'], ['Herald', 'Post']),
      country: some('GB', 'US', 'FR'),
      region: some('England', 'Ohio'),
      city: some('Leeds', 'York', 'Cleveland', 'Paris'),
      city_size: some('mega' as const),
      phone: some('+44 113 000', '+1 555 0100'),
      contact_name: some('Ann Roe', 'Bob Poe'),
      contact_title: some('Editor', 'Reporter'),
      linkedin_url: some('https://www.linkedin.com/in/ann-roe', 'https://www.linkedin.com/company/herald'),
      email: some('desk@herald.example', 'news@post.example'),
      email_status: some('valid' as const, 'invalid' as const),
      last_verified_at: some('2026-03-01T00:00:00.000Z'),
      type: some('radio' as const, 'newspaper' as const),
    },
    { requiredKeys: [] },
  )
  .chain(({ type, ...fields }) =>
    fc
      .tuple(place, fc.constantFrom('outlet' as const, 'outlet' as const, 'podcast' as const, null))
      .map(([own, kind]): RecordPatch => {
        if (kind === null) return madePatch({ id: `${own}`, ...fields });
        const typed = kind === 'outlet' ? type : null;
        return madePatch({
          ...{ id: `${own}`, kind, name: 'The Times', ...fields },
          ...(typed !== undefined && { type: typed }),
        });
      }),
  );
/** One of eight steps is cut off. */
const cut = fc.nat(7).map((number) => number === 0);
const findings = fc.constantFrom<Finding[]>('takes_mail', 'webmail', 'disposable', 'no_such_domain', 'unknown');
const changing: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('import' as const), rows: fc.array(row, { maxLength: 6 }), cut }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('delete' as const), places: fc.array(place, { maxLength: 2 }), cut }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('merge' as const), keep: place, drop: place, cut }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('check-emails' as const), finding: findings, cut }) },
);
const undoing: fc.Arbitrary<Undo> = fc.record({ is: fc.constant('undo' as const), back: fc.nat(6), cut });
const sequenceOf = <Step>(step: fc.Arbitrary<Step>) => fc.array(step, { minLength: 2, maxLength: 12 });
const sequences = { seed: 20, numRuns: ofForm(5, 500) };

describe.each(testStores)('sequences of imports, deletions, merges, checks and undos, $name', ({ open }) => {
  const stores = useOne(open);
  let runs = 0;
  let sets = 0;

  const idOf = (place: number | string) => `${runs}-${place}`;
  const readState = () => Promise.all([0, 1, 2, 3].map((place) => stores.records.find(idOf(place))));
  const leads = () => stores.mergedIds.resolve([0, 1, 2, 3].map(idOf));
  const undo = async (id: string, options: Parameters<typeof undoChanges>[2] = {}) =>
    undoChanges({ ...stores, operator: 'ada' }, (await stores.changes.find(id)) as ChangeSet, options);

  /** Two records of which no other run knows. */
  async function start(): Promise<void> {
    runs += 1;
    await stores.records.merge([
      madeRecord({ id: idOf(0), name: 'The Herald', country: 'GB', city: 'Leeds', email: 'desk@herald.example' }),
      madeRecord({ id: idOf(1), name: 'The Post', type: 'radio', phone: '+44 113 000' }),
    ]);
  }

  /** Does the whole of a step, or a part where it is cut off; returns the id of its change set. */
  async function take(step: Change): Promise<string> {
    sets += 1;
    const id = `s${sets}`;
    const startedAt = new Date(Date.UTC(2026, 0, 1) + sets).toISOString();
    await stores.changes.begin({ id, action: step.is, operator: 'ada', startedAt, undoes: null });
    if (step.is === 'merge') {
      if (step.keep !== step.drop) await stores.records.mergeDuplicates(idOf(step.keep), [idOf(step.drop)], id);
    } else if (step.is === 'check-emails') {
      const check = (record: MediaRecord) => {
        const found = record.email === null ? null : applyFinding(record, step.finding, '2026-06-01T00:00:00.000Z');
        return found && { contacts: withFirstContact(record, found) };
      };
      await stores.records.amend((step.cut ? [0, 1] : [0, 1, 2, 3]).map(idOf), check, id);
    } else if (step.is === 'delete') {
      await stores.records.remove(step.places.slice(0, step.cut ? 1 : 2).map(idOf), id);
    } else {
      const rows = step.rows.slice(0, step.cut ? 2 : 6).map((row) => ({ ...row, id: idOf(row.id) }));
      for (const batch of [rows.slice(0, 3), rows.slice(3)]) await stores.records.merge(batch, id);
    }
    if (!step.cut) await stores.changes.end(id, { endedAt: new Date().toISOString(), counts: {}, files: [] });
    return id;
  }

  it('undo what they say beforehand, whatever changed since, and leave all other records alone', async () => {
    await fc.assert(
      fc.asyncProperty(sequenceOf(fc.oneof(changing, changing, undoing)), async (steps) => {
        await start();
        const taken: string[] = [];
        for (const step of steps) {
          if (step.is !== 'undo') {
            taken.push(await take(step));
            continue;
          }
          const id = taken.at(-1 - step.back);
          if (id === undefined) continue;
          const touched = new Set<string>();
          for await (const page of stores.changes.readChanges(id)) for (const change of page) touched.add(change.id);
          const before = await readState();
          const { kept, is_already_undone } = await undo(id, { dryRun: true });
          expect(await readState()).toEqual(before);
          const onProgress = () => {
            if (step.cut) throw new Error('cut off here');
          };
          const undone = await undo(id, { onProgress }).catch((error: Error) => error.message);
          if (typeof undone === 'string') expect(undone).toBe('cut off here');
          else expect(undone).toMatchObject({ kept, is_already_undone });
          const after = await readState();
          for (const [place, record] of before.entries()) {
            if (!touched.has(idOf(place)) || is_already_undone) expect(after[place]).toEqual(record);
          }
          if (typeof undone === 'string' || is_already_undone || undone.id === null) continue;
          expect(await undo(id, { dryRun: true })).toMatchObject({ kept, is_already_undone: kept === 0 });
          if (!taken.includes(undone.id)) taken.push(undone.id);
        }
      }),
      sequences,
    );
  }, 300_000);

  it('leave no trace in the records once everything is undone, the last first', async () => {
    await fc.assert(
      fc.asyncProperty(sequenceOf(changing), async (steps) => {
        await start();
        const before = await readState();
        const taken: string[] = [];
        for (const step of steps) taken.push(await take(step));
        for (const id of taken.toReversed()) expect(await undo(id)).toMatchObject({ kept: 0 });
        expect((await readState()).map(contentOf)).toEqual(before.map(contentOf));
        expect((await leads()).size).toBe(0);
      }),
      sequences,
    );
  }, 300_000);
});
