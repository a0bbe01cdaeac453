import { SearchThreads } from '#backends/embedded/search/worker-search-index.ts';

/*
 * All stores of a test file share their search threads, because starting new ones takes longer than most tests. On a machine that is
 * busy with others, they wait as long as a test may take.
 */
SearchThreads.shared ??= new SearchThreads(60);
