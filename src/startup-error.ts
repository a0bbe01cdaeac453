/**
 * Why an engine cannot be used with these settings, and what to do: one line, without a secret. Waiting would not help;
 * an engine that is merely down is not such an error.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
