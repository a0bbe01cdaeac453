// Ends with 0 where the URL answers with a status of success, else with 1. For health checks: the image has no curl.
const { ok } = await fetch(process.argv[2], { signal: AbortSignal.timeout(4_000) }).catch(() => ({ ok: false }));
process.exit(ok ? 0 : 1);
