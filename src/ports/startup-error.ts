/**
 * Why an engine cannot be used as the settings have it, and what to do: one line, without a secret. Waiting would not
 * mend it; an engine that is merely down is no such error.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}
