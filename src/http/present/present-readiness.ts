/** The answer of /readyz: 200, or 503 with what is missing, in words. */
export function presentReadiness(missing: readonly string[]): { status: 200 | 503; body: object } {
  return missing.length === 0
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'not ready', missing } };
}
