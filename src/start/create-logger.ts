import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '#src/settings/config.ts';

/** An email address, also percent-encoded as in a URL. Does not start inside a JSON escape such as `\n` or `\u00e9`. */
const address = /(?<!\\|\\u[0-9a-f]{0,3})[\p{L}\p{N}._%+'-]{1,200}(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
const apiKey = /mh_[0-9A-Za-z]{8,}/g;
const stripeSecret = /\b(?:(?:sk|rk)_(?:test|live)|whsec)_[^\s"\\]+/g;
const claimToken = /claim_token(?:=|%3D)[^&\s"\\]+/gi;
/** User and password of a connection string. */
const credentials = /:\/\/[^/\s"@]+@/g;

/** Of pino's levels. */
const errorLevel = 50;

interface ErrorListeners {
  onError: (error: unknown) => void;
  onLine: (line: string) => void;
}

/**
 * Logs JSON lines. Hides everything that looks like a key, password or address, even in engine errors and stack traces.
 * Whatever is logged as an error goes to `onError` as it is, and to `onLine` as a line without secrets.
 */
export function createLogger(
  level: Config['logLevel'],
  destination: DestinationStream,
  { onError = () => {}, onLine = () => {} }: Partial<ErrorListeners> = {},
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite(line) {
          const safeLine = hideSecrets(line);
          if (/^\{"level":"(?:error|fatal)"/.test(safeLine)) onLine(safeLine);
          return safeLine;
        },
        logMethod(args, method, lineLevel) {
          const [first] = args as unknown[];
          if (lineLevel >= errorLevel && first instanceof Object && 'err' in first) onError(first.err);
          method.apply(this, args);
        },
      },
    },
    destination,
  );
}

/** The text without keys, passwords and addresses. */
export function hideSecrets(line: string): string {
  return line
    .replace(stripeSecret, '[secret]')
    .replace(credentials, '://[credentials]@')
    .replace(apiKey, '[key]')
    .replace(claimToken, 'claim_token=[secret]')
    .replace(address, '[address]');
}
