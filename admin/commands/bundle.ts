import { arch, cpus, freemem, release, totalmem, type } from 'node:os';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { findLastBackup } from '#backends/backups.ts';
import { listFaults } from '#backends/fault-log.ts';
import { type JsonFlag, printResult } from '#src/command-line/command-line.ts';
import { refuseExisting, writeOutputFile } from '#src/command-line/output.ts';
import { withBackends } from '#src/command-line/with-backends.ts';
import { messageOf } from '#src/problem.ts';
import { describeSettings } from '#src/settings/config.ts';
import { hideSecrets } from '#src/start/create-logger.ts';
import type { Backends } from '#src/start/open-backends.ts';
import manifest from '../../package.json' with { type: 'json' };
import { runChecks } from './check.ts';

export function addTo(program: Command): void {
  program
    .command('bundle')
    .description(
      'write a file for whoever helps you: versions, settings without secrets, status, last faults; nothing personal',
    )
    .argument('<file>', 'a new file')
    .action(writeBundle);
}

async function writeBundle(file: string, { json }: JsonFlag): Promise<void> {
  refuseExisting(file, 'Delete it');
  const bundle = {
    made_at: new Date().toISOString(),
    versions: { masthead: manifest.version, ...process.versions },
    machine: {
      system: `${type()} ${release()} ${arch()}`,
      processors: cpus().length,
      memory_bytes: totalmem(),
      free_memory_bytes: freemem(),
    },
    settings: describeSettings(),
    checks: await runChecks(),
    store: await readStore(),
  };
  const text = hideSecrets(JSON.stringify(bundle, null, 2));
  await writeOutputFile(file, Readable.from([Buffer.from(`${text}\n`)]));
  printResult({ file }, () => `Wrote ${file}. Read it before you send it: it should hold nothing personal.`, json);
}

/** What the store says of itself, or why it does not. */
async function readStore(): Promise<object> {
  let answer: object = {};
  try {
    await withBackends(async (backends) => {
      await backends.whenPrepared();
      answer = await describeStore(backends);
    }, {});
  } catch (error) {
    answer = { fault: messageOf(error) };
  }
  return answer;
}

async function describeStore({ kind, records, suppressions, locks, health, keyed, maintenance, syncDeps }: Backends) {
  const live = (await maintenance?.findLive()) ?? (await syncDeps?.generations.findLive()) ?? null;
  return {
    kind,
    records: await records.count(),
    suppressions: (await suppressions.list()).length,
    index: live && { name: live.index, is_current: live.isCurrent, records: live.records },
    jobs: await locks.list(),
    fault: await health.findFault(),
    free_bytes: await health.findFreeBytes(),
    last_backup: await findLastBackup(keyed),
    processes: await listFaults(keyed),
  };
}
