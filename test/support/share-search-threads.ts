import { SearchThreads } from '#backends/embedded/worker-search-index.ts';

/* To start threads for each of the stores of a test file takes longer than most tests. */
SearchThreads.shared ??= new SearchThreads();
