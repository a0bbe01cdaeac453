import { readFileSync } from 'node:fs';

/**
 * Memory of a separate process in MB, without its mapped files, which the system reclaims as it likes; null if the
 * system has no /proc.
 */
export function readMemory(pid: number): number | null {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

/** Clock ticks in a second: Linux has the same number everywhere. */
const ticksPerSecond = 100;

/** Processor time that a separate process has taken, in milliseconds; null if the system has no /proc. */
export function readProcessorTime(pid: number): number | null {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
    const [user, system] = afterName.split(' ').slice(11, 13).map(Number);
    return user === undefined || system === undefined ? null : ((user + system) * 1000) / ticksPerSecond;
  } catch {
    return null;
  }
}

const pollMs = 50;

/** Does work and returns the maximum memory of the process meanwhile, in MB. */
export async function watchMemory(pid: number, work: () => Promise<void>): Promise<number | null> {
  let peak = readMemory(pid);
  const look = () => {
    const now = readMemory(pid);
    if (now !== null) peak = Math.max(peak ?? 0, now);
  };
  const timer = setInterval(look, pollMs);
  try {
    await work();
    return peak;
  } finally {
    clearInterval(timer);
  }
}

const established = '01';

/** Open connections to a port of this machine; null if the system has no /proc. */
export function countConnections(port: number): number | null {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  try {
    const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
    const columns = rows.map((row) => row.trim().split(/\s+/));
    return columns.filter(([, from = '', , state]) => from.endsWith(local) && state === established).length;
  } catch {
    return null;
  }
}
