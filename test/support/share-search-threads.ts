import { SearchThreads } from '#backends/embedded/worker-search-index.ts';

/* All stores of a test file share their search threads, because starting new ones takes longer than most tests. */
SearchThreads.shared ??= new SearchThreads();
