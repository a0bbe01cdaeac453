import { parentPort, workerData } from 'node:worker_threads';
import { doAudited } from '#accounts/do-audited.ts';
import { describeRebuildForAudit } from '#indexer/syncing/describe-index.ts';
import { operatorName } from '#src/command-line/operator-name.ts';
import { countOf } from '#text/count-of.ts';
import { openBackends } from './open-backends.ts';
import type { RenewalNews } from './renew-index.ts';

/* Rebuilds the index of an embedded store, on its own connections, until it is done or told to stop. */
const stop = new AbortController();
const tell = (news: RenewalNews) => parentPort?.postMessage(news);
parentPort?.once('message', () => stop.abort());

const backends = await openBackends(
  { dataDir: String(workerData) },
  { logLine: (line) => tell({ isFault: false, line }) },
);
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
