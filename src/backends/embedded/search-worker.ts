import { workerData } from 'node:worker_threads';
import type { SearchIndex } from '#ports/search-index.ts';
import { openReader } from './database.ts';
import { SearchEngine } from './search-engine.ts';
import { answerFor, type ThreadAnswer } from './thread-answer.ts';

/** One call of a SearchEngine method, as sent to the worker. */
export type SearchCall =
  | { method: 'search'; args: Parameters<SearchIndex['search']> }
  | { method: 'countFacets'; args: Parameters<SearchIndex['countFacets']> }
  | { method: 'findMany'; args: Parameters<SearchIndex['findMany']> };

let engine: SearchEngine | undefined;

/** Runs in the worker thread. A database that failed to open is opened again for the next call. */
export function answer(call: SearchCall): ThreadAnswer<unknown> {
  return answerFor(() => {
    engine ??= new SearchEngine(openReader(String(workerData)));
    switch (call.method) {
      case 'search':
        return engine.search(...call.args);
      case 'countFacets':
        return engine.countFacets(...call.args);
      case 'findMany':
        return engine.findMany(...call.args);
    }
  });
}
