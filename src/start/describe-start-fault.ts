import { faultOf, isSqliteError, type SqliteFault } from '#backends/embedded/sqlite-errors.ts';
import { ConfigError } from '#src/settings/config.ts';

interface SystemError extends NodeJS.ErrnoException {
  address?: string;
  hostname?: string;
  port?: number;
  /** Whether METRICS_HOST and METRICS_PORT named the address, and not HOST and PORT. */
  isOfMetrics?: true;
}

const anotherFolder = 'or choose another MASTHEAD_DATA_DIR';
const makeRoom = 'The disk is full. Make room and start this again; what was confirmed before is stored.';

/** What to do about a fault of masthead.db. */
const remedies: Record<SqliteFault, string> = {
  'full disk': makeRoom,
  damage: `The file is damaged. Restore it from a backup, ${anotherFolder}.`,
  'no write access': `Let this user read and write the folder and its files, ${anotherFolder}.`,
  'failing disk': "The disk fails: see the system's log. Move the folder to another disk, or restore it from a backup.",
};

/** Why a command cannot start and what to do about it, one line per fault. */
export function describeStartFault(error: unknown): string {
  const faults = error instanceof ConfigError ? error.faults : [describe(error)];
  return faults.map((fault) => `masthead: ${fault}`).join('\n');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The error around it has a message for API callers, which says too little here.
  if (isSqliteError(error.cause) || faultOf(error.cause) !== null) return describe(error.cause);
  const { code, address, hostname, port, path, isOfMetrics }: SystemError = error;
  const host = isOfMetrics ? 'METRICS_HOST' : 'HOST';
  const setPort = (free: number) =>
    isOfMetrics ? `METRICS_PORT=${free}. It must not be PORT, or another process's` : `PORT=${free} npm start`;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${address} is in use. Stop the program that uses it, or choose another port: ${setPort((port ?? 3000) + 1)}`;
    case 'EADDRNOTAVAIL':
      return `${host} ${address} is not an address of this machine. Use ${host}=127.0.0.1 for this machine only${isOfMetrics ? '' : ', or HOST=0.0.0.0 for all its networks'}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} ${hostname} could not be resolved. Use an address of this machine, such as ${host}=127.0.0.1.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `${path ?? 'a file'} cannot be written (${code}). ${makeRoom}`;
    case 'EACCES':
      if (port !== undefined)
        return `this user is not allowed to use port ${port}. Choose one from 1024 up: ${setPort(isOfMetrics ? 9464 : 3000)}`;
  }
  if (path !== undefined) {
    return `the data folder cannot be used (${error.message}). Choose a folder that this user can write to: MASTHEAD_DATA_DIR=FOLDER`;
  }
  const fault = faultOf(error);
  if (fault !== null) return `masthead.db in the data folder cannot be used (${error.message}). ${remedies[fault]}`;
  if (isSqliteError(error)) return `masthead.db in the data folder cannot be used (${error.message}).`;
  return error.message;
}
