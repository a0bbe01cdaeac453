import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { type ChangeStep, changeSteps } from '../../test/support/change-steps.ts';
import { madeRecord } from '../../test/support/made-record.ts';
import { processEnvironment } from '../../test/support/process-environment.ts';
import { RecordModel, type RecordState, withTimes } from '../../test/support/record-model.ts';
import type { Answer, Order } from './change-worker.ts';

const worker = fileURLToPath(new URL('./change-worker.ts', import.meta.url));
const ids = ['1', '2', '3', '4'];
/** A kill comes within this time of an order, in milliseconds: about as long as one takes. */
const killWithinMs = 12;

export interface SequencesOptions {
  /** A data folder, or the URI of a MongoDB. */
  place: string;
  sequences: number;
  seed: number;
}

export interface SequencesResult {
  kills: number;
  faults: string[];
}

/**
 * Runs sequences of imports, deletions, merges, checks of addresses and undos in another process that is killed at random,
 * does what was killed again, and compares the records with a model after every step.
 */
export async function runSequences({ place, sequences, seed }: SequencesOptions): Promise<SequencesResult> {
  const result: SequencesResult = { kills: 0, faults: [] };
  const dice = new Dice(seed);
  const store = new KillableStore(place);
  try {
    for (const [index, steps] of fc.sample(changeSteps(), { seed, numRuns: sequences }).entries()) {
      const records = [
        madeRecord({ id: '1', name: 'The Herald', country: 'GB', city: 'Leeds', email: 'desk@herald.example' }),
        madeRecord({ id: '2', name: 'The Post', type: 'radio', phone: '+44 113 000' }),
      ];
      const model = new RecordModel(stateOf(await store.ask({ is: 'start', ids, records })));
      for (const step of steps) {
        const fault = await takeStep({ store, model, dice, result }, step);
        if (fault === null) continue;
        result.faults.push(`sequence ${index} of seed ${seed}: ${fault} (${JSON.stringify(step)})`);
        break;
      }
    }
  } finally {
    await store.kill();
  }
  return result;
}

interface Run {
  store: KillableStore;
  model: RecordModel;
  dice: Dice;
  result: SequencesResult;
}

/** Returns what is wrong with the records after it; null if nothing is. */
async function takeStep(run: Run, step: ChangeStep): Promise<string | null> {
  const { store, model, dice, result } = run;
  const order = orderOf(model, step);
  if (order === null) return null;
  if (step.cut) {
    result.kills += 1;
    const [last] = (await store.ask({ is: 'read', ids })).sets;
    const asked = store.ask(order).catch(() => null);
    await pause(dice.below(killWithinMs));
    await store.kill();
    await asked;
    const fault = noteKilled(run, order, await store.ask({ is: 'read', ids }), last?.id);
    if (fault !== null) return fault;
  }
  const answer = await store.ask(order);
  const { expected, isComplete, isDone } = expect(model, order);
  const actual = stateOf(answer);
  if (!isDeepStrictEqual(actual, withTimes(expected, actual))) return differ('after it', expected, actual);
  if (isDone !== (answer.set === null)) return `it was ${isDone ? '' : 'not '}undone already`;
  if (answer.set !== null) model.note({ id: answer.set, undoes: undoneBy(order), isComplete }, actual, mergeOf(order));
  return null;
}

function orderOf(model: RecordModel, step: ChangeStep): Order | null {
  if (step.is === 'import') return { is: 'import', rows: step.rows };
  if (step.is === 'delete') return { is: 'delete', ids: step.ids };
  if (step.is === 'check-emails') return { is: 'check-emails', ids, finding: step.finding };
  if (step.is === 'merge') return step.keep === step.drop ? null : { is: 'merge', keep: step.keep, drop: step.drop };
  const set = model.sets.at(-1 - step.back);
  return set === undefined ? null : { is: 'undo', set: set.id };
}

const mergeOf = (order: Order) => (order.is === 'merge' ? order : null);
const undoneBy = (order: Order) => (order.is === 'undo' ? order.set : null);

/** What the model says of an order: the records after it, and whether nothing was left to do. */
function expect(model: RecordModel, order: Order): { expected: RecordState; isComplete: boolean; isDone: boolean } {
  if (order.is !== 'undo') {
    return { expected: statesDuring(model, order).at(-1) ?? model.records, isComplete: false, isDone: false };
  }
  const set = model.sets.find(({ id }) => id === order.set);
  if (set === undefined) throw new Error('only sets of the model are undone');
  if (model.undoOf(set.id)?.isComplete) return { expected: model.records, isComplete: true, isDone: true };
  const { state, isComplete } = model.undoing(set);
  return { expected: state, isComplete, isDone: false };
}

/**
 * After a kill, the records must be as some part of the order leaves them, and its change set must have that part.
 *
 * @param last the latest change set before the order
 */
function noteKilled({ model }: Run, order: Order, { records, sets }: Answer, last?: string): string | null {
  const actual = new Map(records.map((record) => [record.id, record]));
  const possible = statesDuring(model, order);
  if (!possible.some((state) => isDeepStrictEqual(actual, withTimes(state, actual)))) {
    return differ('after a kill', possible.at(-1) ?? model.records, actual);
  }
  const isChanged = !isDeepStrictEqual(actual, model.records);
  const [latest] = sets;
  const begun = latest !== undefined && latest.id !== last ? latest : null;
  const undoing = order.is === 'undo' ? model.undoOf(order.set) : undefined;
  const set = undoing ?? begun;
  if (isChanged && set === null) return 'records changed without a change set';
  if (set === null || (undoing?.isComplete && !isChanged)) return null;
  // It may have come to its end before the kill.
  const isComplete = order.is === 'undo' && sets.some((one) => one.id === set.id && one.isComplete);
  model.note({ id: set.id, undoes: undoneBy(order), isComplete }, actual, mergeOf(order));
  return null;
}

/** The states that a kill may leave: nothing done, or the first records, each in its own step; the last is the whole. */
function statesDuring(model: RecordModel, order: Order): RecordState[] {
  const steps = <Thing>(things: readonly Thing[], after: (some: Thing[]) => RecordState) => [
    model.records,
    ...things.map((_, index) => after(things.slice(0, index + 1))),
  ];
  switch (order.is) {
    case 'import':
      return steps(order.rows, (rows) => rows.reduce((state, row) => model.importing([row], state), model.records));
    case 'delete':
      return steps(order.ids, (some) => model.deleting(some));
    case 'check-emails':
      return steps(order.ids, (some) => model.checking(some, order.finding));
    case 'merge':
      return [model.records, model.merging(order.keep, order.drop)];
    default:
      return [model.records, expect(model, order).expected];
  }
}

function stateOf({ records, error }: Answer): RecordState {
  if (error !== undefined) throw new Error(error);
  return new Map(records.map((record: MediaRecord) => [record.id, record]));
}

function differ(when: string, expected: RecordState, actual: RecordState): string {
  const shown = [expected, actual].map((state) => JSON.stringify([...state.values()]));
  return `${when} the model has ${shown[0]}, the store ${shown[1]}`;
}

/** A store in a process that can be killed at any moment, and starts again with the next order. */
class KillableStore {
  readonly #place: string;
  #process: ChildProcess | null = null;

  constructor(place: string) {
    this.#place = place;
  }

  /** @throws Error if the process ends before it answers. */
  async ask(order: Order): Promise<Answer> {
    this.#process ??= await this.#start();
    const process = this.#process;
    process.send({ order, ids });
    return (await messageOf(process)) as Answer;
  }

  async kill(): Promise<void> {
    const process = this.#process;
    this.#process = null;
    if (process === null || process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  async #start(): Promise<ChildProcess> {
    const process = fork(worker, [this.#place], { env: processEnvironment({}) });
    await messageOf(process);
    return process;
  }
}

async function messageOf(process: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const end = once(process, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('the process ended before it answered');
  });
  const message = once(process, 'message', { signal: ended.signal }).then(([given]) => given);
  try {
    return await Promise.race([message, end]);
  } finally {
    ended.abort();
    for (const left of [message, end]) left.catch(() => {});
  }
}
