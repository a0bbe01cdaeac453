import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../src/problem.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { steady } from './fill-for-trial.ts';
import { Repeated } from './repeated.ts';

const page = { sort: { key: 'relevance', reversed: false }, offset: 0, limit: 10 } as const;
const betweenMs = 20;

/** Searches again and again for records that nobody changes: a search that does not find them all read half an index. */
export class SteadySearcher extends Repeated {
  readonly #index: SearchIndex;
  searches = 0;
  /** What searches failed with while the engine was meant to be there. */
  failures: string[] = [];
  /** Searches that the running engine did not answer in time: on a busy machine that means nothing. */
  timedOut = 0;
  /** Totals that were wrong. */
  wrong: number[] = [];
  /** Whether the engine is down by intention. */
  isEngineDown = false;

  constructor(index: SearchIndex) {
    super();
    this.#index = index;
  }

  protected async takeTurn(): Promise<void> {
    const wasDown = this.isEngineDown;
    try {
      const { total } = await this.#index.search(steady.query, page, 'masked');
      if (total !== steady.count) this.wrong.push(total);
    } catch (error) {
      if (!(error instanceof Problem)) this.failures.push(String(error));
      else if (!wasDown && !this.isEngineDown) this.#noteProblem(error);
    }
    this.searches += 1;
    await pause(betweenMs);
  }

  #noteProblem({ message, cause }: Problem): void {
    const reason = cause instanceof Error ? cause.message : '';
    if (reason.includes('TimeoutError')) this.timedOut += 1;
    else this.failures.push(`${message} (${reason})`);
  }
}
