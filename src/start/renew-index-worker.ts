import { parentPort, workerData } from 'node:worker_threads';
import { doAudited } from '#accounts/audit.ts';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { describeRebuildForAudit } from '#search/index-maintenance.ts';
import { countOf } from '#text/printed.ts';
import { operatorName } from './open-backends.ts';

/** The rebuild thread's message, in one line. */
export interface RenewalNews {
  isFault: boolean;
  line: string;
}

/* Rebuilds the index of an embedded store, on its own connections, until it is done or told to stop. */
const stop = new AbortController();
const tell = (news: RenewalNews) => parentPort?.postMessage(news);
parentPort?.once('message', () => stop.abort());

const backends = openEmbedded({
  dataDir: String(workerData),
  logLine: (line) => tell({ isFault: false, line }),
});
try {
  const { indexed } = await doAudited(
    { audit: backends.audit, operator: operatorName() },
    {
      action: 'reindex',
      subjects: ['search index, at the start of the service'],
      work: () => backends.maintenance.rebuild({ allowsShrink: false, signal: stop.signal }),
      describe: describeRebuildForAudit,
    },
  );
  tell({ isFault: false, line: `rebuilt the search index: ${countOf(indexed, 'record')}` });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  if (!stop.signal.aborted) {
    tell({ isFault: true, line: `the search index was not rebuilt: ${reason} Run: npm run indexer -- reindex` });
  }
} finally {
  await backends.close();
  parentPort?.close();
}
