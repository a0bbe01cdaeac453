import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { judgeChange } from './interface.ts';
import { documentForSnapshot, snapshotPath, versionsPath } from './snapshot.ts';

// Rewrites docs/openapi.json, unless that would break what its last commit promises.

const next = JSON.parse(documentForSnapshot());
const before = committed();
const faults = before === null ? [] : judgeChange(before, next, await readFile(versionsPath, 'utf8'));
if (faults.length > 0) {
  console.error(`docs/openapi.json stays as it is:\n${faults.join('\n')}`);
  process.exitCode = 1;
} else {
  await writeFile(snapshotPath, documentForSnapshot());
  console.log('docs/openapi.json is up to date.');
}

/** The document of the last commit; null if there is none yet. */
function committed() {
  try {
    return JSON.parse(execFileSync('git', ['show', 'HEAD:docs/openapi.json'], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return null;
  }
}
