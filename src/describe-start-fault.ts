import { ConfigError } from './config.ts';

/** Why the service cannot start and what to do about it, one line a fault. */
export function describeStartFault(error: unknown): string {
  const faults = error instanceof ConfigError ? error.faults : [describe(error)];
  return faults.map((fault) => `masthead: ${fault}`).join('\n');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port, hostname } = error as NodeJS.ErrnoException &
    Partial<Record<'address' | 'hostname', string>> & { port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${address} is taken. Stop what listens there, or choose another port: PORT=${(port ?? 3000) + 1} npm start`;
    case 'EACCES':
      return port === undefined
        ? `cannot start: ${error.message}. Give this user the right to it, or choose another MASTHEAD_DATA_DIR.`
        : `port ${port} on ${address} is not allowed for this user. Choose one from 1024 up: PORT=3000 npm start`;
    case 'EADDRNOTAVAIL':
      return `HOST ${address} is no address of this machine. HOST=127.0.0.1 serves this machine alone, HOST=0.0.0.0 every network it is in.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${hostname} is not known here. Give an address of this machine, such as HOST=127.0.0.1.`;
    default:
      return error.message;
  }
}
