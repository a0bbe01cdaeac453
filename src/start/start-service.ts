import { type Logger, pino } from 'pino';
import { doAudited } from '#accounts/audit.ts';
import { UsageMeter } from '#accounts/usage.ts';
import { claimDataFolder } from '#backends/embedded/database.ts';
import { FaultLog } from '#backends/fault-log.ts';
import { startMetricsServer, startServer } from '#http/start-server.ts';
import { describeRebuildForAudit } from '#search/indexed/index-maintenance.ts';
import { searchWords } from '#search/words/search-words.ts';
import { createApp } from '#src/app.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { openLeadTools } from '#src/lead-tools/open-tool.ts';
import {
  countRequest,
  createMetrics,
  type Metrics,
  observeIndex,
  observeOrders,
  observePushes,
} from '#src/metrics/metrics.ts';
import { Problem } from '#src/problem.ts';
import { type Config, loadConfig } from '#src/settings/config.ts';
import { settings } from '#src/settings/settings.ts';
import { countOf, formatNumber, quoteForShell } from '#text/printed.ts';
import { createLogger } from './create-logger.ts';
import { describeStartFault } from './describe-start-fault.ts';
import { type Backends, listMissing, openBackends, operatorName } from './open-backends.ts';
import { openMails } from './open-mails.ts';
import { loadPayments, requirePayments } from './open-payments.ts';
import { confirmPepper, findPepper } from './open-pepper.ts';
import { purgeRegularly } from './purge.ts';
import { runOwnModel } from './run-own-model.ts';
import { watchCertificate } from './watch-certificate.ts';
import { watchStore } from './watch-store.ts';
import { listWebFiles } from './web-files.ts';

/** Sample records that the first start loads, so there is something to search. */
const sampleCount = 5_000;
/** Maximum number of pushes that this process runs at once, for all keys. */
const pushMaxAtOnce = 20;
/** How long running requests may take once the process is told to stop, in milliseconds. */
const drainMs = 10_000;

/** Standard error. Lines are written together every tenth of a second (decisions/0010), and on exit. */
const logDestination = { fd: 2, sync: false, minLength: 4_096, periodicFlush: 100, maxLength: 16 * 1024 * 1024 };

/** Serves the API and the pages until a signal ends the process. If the start fails, prints why and exits with 1. */
export async function startService(): Promise<void> {
  try {
    await start();
  } catch (error) {
    console.error(describeStartFault(error));
    process.exit(1);
  }
}

async function start(): Promise<void> {
  const config = loadConfig();
  requirePayments(config);
  const faults = new FaultLog();
  const { log, logAtOnce, noteErrors } = openLog(config, faults);
  exitOnUnhandled(log);

  const claim = config.mongoUri === null ? claimDataFolder(config.dataDir) : null;
  const backends = await openBackends(config, { logLine: logAtOnce });
  // Takes a second, which the first search would wait for. Commands need no words.
  if (backends.kind === 'production') searchWords();
  noteErrors((error) => backends.health.note(error));
  faults.open(backends.keyed);
  const stopping = new AbortController();
  const pepperSource = await findPepper(config, backends.pepper);
  await confirmPepper(backends, pepperSource, {
    signal: stopping.signal,
    onRefused(fault) {
      log.fatal(describeStartFault(fault));
      process.exit(1);
    },
  });
  const loaded = await loadSampleIntoEmptyStore(backends);
  await renewIndex(backends, log);

  const metrics = config.metrics === null ? null : createMetrics();
  const openPayments = await loadPayments(config, log);
  const mailsAt = await openMails(config, backends, { pepper: pepperSource.pepper, log, signal: stopping.signal });
  const usage = new UsageMeter(backends.usage, { log, now: () => new Date() });
  const ownModel = runOwnModel(config, backends, { log, metrics, signal: stopping.signal });
  const server = await startServer(config, (publicUrl) =>
    createApp({
      ...backends,
      ...config,
      ...(metrics !== null && observeBackends(backends, metrics)),
      formats: listFormats(leadTools),
      leadTools: openLeadTools(config),
      usage,
      ownModel,
      pushMaxAtOnce,
      ...openPayments(publicUrl),
      mails: mailsAt(publicUrl),
      pepper: pepperSource.pepper,
      publicUrl,
      webFiles: listWebFiles(),
      sharedCounter: backends.openRequestCounter?.() ?? null,
      log,
      reportRequest: (request) => metrics !== null && countRequest(metrics, request),
      now: () => new Date(),
      stopping: stopping.signal,
      listMissing: async (purpose) =>
        stopping.signal.aborted ? ['the process is stopping'] : listMissing(backends, purpose),
    }),
  );

  const metricsServer =
    metrics === null ? null : await startMetricsServer(config.metrics, metrics.registry, (line) => console.log(line));

  onFirstSignal(async (signal) => {
    stopping.abort();
    const drained = server.drain(drainMs);
    log.info({ signal }, 'stopping: waiting for running requests');
    const broken = await drained;
    await Promise.all([metricsServer?.drain(0), usage.write().catch(() => {}), faults.write().catch(() => {})]);
    if (broken > 0) log.warn({ broken }, 'closed connections at the deadline');
    await backends.close();
    claim?.close();
    log.info('stopped');
  });

  watchStore(backends, log, metrics);
  if (metrics !== null) {
    watchCertificate(config.publicUrl ?? server.url, (end) =>
      metrics.certificateEnd.set(end === null ? Number.NaN : end.getTime() / 1_000),
    );
  }
  void announceRestore(backends, log);
  void purgeRegularly(backends, config.history, log);
  console.log(await welcome(backends, config, server.url, loaded));
}

/** The log of the process. Each line also goes to `faults`, and each error to what `noteErrors` is given, once there is somebody to tell. */
function openLog({ logLevel }: Config, faults: FaultLog) {
  let noteError: (error: unknown) => void = () => {};
  const destination = pino.destination(logDestination);
  outliveFullDisk(destination);
  const log = createLogger(logLevel, destination, {
    onError: (error) => noteError(error),
    onLine: (line) => faults.note(line),
  });
  return {
    log,
    logAtOnce(line: string): void {
      log.warn(line);
      // The upgrade of an embedded store begins at once, and leaves no time for it.
      destination.flushSync();
    },
    noteErrors(note: (error: unknown) => void): void {
      noteError = note;
    },
  };
}

/** Lines that a full disk refuses wait until it has room. By itself, the destination ends the process, and its flush never returns. */
function outliveFullDisk(destination: ReturnType<typeof pino.destination>): void {
  const flush = destination.flushSync.bind(destination);
  let isRefused = false;
  destination.on('error', () => {
    isRefused = true;
  });
  destination.on('write', () => {
    isRefused = false;
  });
  destination.flushSync = () => {
    if (!isRefused) flush();
  };
}

function exitOnUnhandled(log: Logger): void {
  const exit = (err: unknown) => {
    log.fatal({ err }, 'unhandled error: exiting');
    process.exit(1);
  };
  process.on('uncaughtException', exit);
  process.on('unhandledRejection', exit);
}

/** The parts of the backends that metrics time and count. */
function observeBackends({ index, orders, pushes }: Backends, metrics: Metrics) {
  return {
    index: observeIndex(index, metrics),
    orders: observeOrders(orders, metrics),
    pushes: observePushes(pushes, metrics),
  };
}

/** Stops at the first signal. At a second one, the process ends at once. */
function onFirstSignal(stop: (signal: string) => Promise<void>): void {
  let isStopping = false;
  const receive = (signal: string) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    void stop(signal);
  };
  process.on('SIGTERM', receive);
  process.on('SIGINT', receive);
}

/** Loads the sample if the store is embedded and empty. Returns how many records were loaded. */
async function loadSampleIntoEmptyStore({ kind, records, audit }: Backends): Promise<number> {
  if (kind !== 'embedded' || (await records.count()) > 0) return 0;
  const { loadSample } = await import('#sample/generate-sample.ts');
  return doAudited(
    { audit, operator: operatorName() },
    {
      action: 'sample',
      subjects: ['sample records, into the empty store'],
      work: () => loadSample(records, sampleCount),
      describe: (loaded) => `${loaded} loaded`,
    },
  );
}

/** How often the log says how far a rebuild has come, in milliseconds. */
const betweenLinesMs = 15_000;

/** Rebuilds an embedded index that another version built, before it is searched; in production the sync does that. */
async function renewIndex({ maintenance, records, audit }: Backends, log: Logger): Promise<void> {
  const live = await maintenance?.findLive();
  if (!maintenance || !live || live.isCurrent) return;
  log.info(`the search index ${live.index} was built by other rules than this version's: rebuilding it`);
  const total = countOf(await records.count(), 'record');
  let loggedAt = performance.now();
  const onProgress = (phase: string, done: number) => {
    if (performance.now() - loggedAt < betweenLinesMs) return;
    loggedAt = performance.now();
    log.info(`the search index: ${phase}, ${formatNumber(done)} of ${total}`);
  };
  const { indexed } = await doAudited(
    { audit, operator: operatorName() },
    {
      action: 'reindex',
      subjects: ['search index, at the start of the service'],
      work: () => maintenance.rebuild({ allowsShrink: false, onProgress }),
      describe: describeRebuildForAudit,
    },
  );
  log.info(`rebuilt the search index: ${countOf(indexed, 'record')}`);
}

/** The message of `npm start` once it serves: what it did, and what to try. */
async function welcome({ kind, records }: Backends, config: Config, url: string, loaded: number): Promise<string> {
  const { dataDir, indexAlias } = config;
  // Null if the store is not there yet.
  const count = await records.count().catch((error) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  const isDefault = kind === 'production' || dataDir === settings.MASTHEAD_DATA_DIR.default;
  const prefix = isDefault ? '' : `MASTHEAD_DATA_DIR=${quoteForShell(dataDir)} `;
  const run = (command: string) => `${prefix}npm run --silent ${command}`;
  const place = kind === 'embedded' ? `embedded store in ${dataDir}` : `MongoDB and Elasticsearch, index ${indexAlias}`;
  const lines = [`Masthead serves ${count === null ? '' : `${countOf(count, 'record')} `}at ${url} (${place}).`];
  if (loaded > 0) {
    lines.push(
      `The store was empty, so ${countOf(loaded, 'sample record')} were loaded: invented media with addresses under .example.`,
      `Your first import replaces them: ${run('indexer -- import FILE')}`,
    );
  }
  if (count === 0) {
    lines.push(
      `The store is empty. To fill it: ${run('indexer -- import FILE')} && ${run('indexer -- reindex')}`,
      `With sample records: ${run('indexer -- sample 5000')} > sample.ndjson, then as above.`,
    );
  }
  lines.push(
    '',
    `In a browser: ${url}, with plans at ${url}/plans and the API reference at ${url}/docs.`,
    '',
    'Try:',
    `  curl '${url}/api/v1/search?q=tech+newsletters&country=US'`,
    `  curl '${url}/api/v1/facets?kind=podcast'`,
    `  KEY=$(${run('admin -- keys issue --tier pro --days 30')})   # then, with full addresses:`,
    `  curl -H "Authorization: Bearer $KEY" '${url}/api/v1/search?q=radio&has_email=1'`,
    '',
  );
  if (kind === 'production') {
    lines.push('Commands need the same settings as this process: in the environment, or in .env.', '');
  }
  return lines.join('\n');
}

/** At the first start from a backup, logs what has to be done by hand. */
export async function announceRestore(
  { identity, whenPrepared }: Pick<Backends, 'identity' | 'whenPrepared'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  await whenPrepared();
  const { restoredFrom } = await identity.open();
  if (restoredFrom === null) return;
  log.warn(
    `this store was restored from a backup of ${restoredFrom}: orders, keys and suppressions since then are not in it (docs/operations.md, "After a restore")`,
  );
}
