// A lock between processes of one machine, for scripts/setup.mjs: plain JavaScript, no dependencies.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const pauseMs = 100;
/** A lock without a process id is being written; one that stays so was left by a process that died there. */
const maxWriteMs = 5_000;

/**
 * Waits for a lock, a file that holds the process id of who has it, and takes it. One whose holder is dead is taken over.
 *
 * @param {string} file
 * @param {(holder: number) => void} onWait called once, where somebody else holds it
 * @returns {Promise<() => void>} gives the lock back; it is also given back when the process exits
 */
export async function holdLock(file, onWait) {
  let hasWaited = false;
  while (!create(file)) {
    const holder = readHolder(file);
    if (holder !== null && !isAlive(holder)) {
      removeStale(file, holder);
      continue;
    }
    if (!hasWaited && holder) onWait(holder);
    hasWaited ||= Boolean(holder);
    await wait(pauseMs);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  return () => {
    process.off('exit', release);
    release();
  };
}

function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The process id in a lock; 0 if it has none; null if the lock is gone or being written. */
function readHolder(file) {
  try {
    const text = readFileSync(file, 'utf8');
    if (text !== '') return Number(text);
    return Date.now() - statSync(file).mtimeMs > maxWriteMs ? 0 : null;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Removes the lock of a dead process, unless another process already did so and holds it now: only one at a time
 * checks.
 */
function removeStale(file, holder) {
  const guard = `${file}.${holder}`;
  if (!create(guard)) return;
  try {
    if (readHolder(file) === holder) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}
