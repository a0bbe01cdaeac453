import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { handleAsset } from '../etags.ts';

const versioned = /-(?:\d+\.\d+\.\d+|[0-9a-f]{12})\//;

/**
 * GET of a file that pages load. Browsers may keep files with a version or hash in their path forever; others are revalidated
 * each time, so versions never mix after an upgrade.
 */
export function handleWebFile(file: URL, path: string): RequestHandler {
  const cacheControl = versioned.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  return handleAsset(() => readFile(file), extname(path), { 'Cache-Control': cacheControl });
}
