import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { keepAsset, makeAsset, sendAsset } from '../present/asset.ts';

const versioned = /-\d+\.\d+\.\d+\//;

/**
 * GET of a file that pages load: read at the first request and kept. Browsers may keep files with a version in their
 * path forever; others are revalidated each time, so versions never mix after an upgrade.
 */
export function handleWebFile(file: URL, path: string): RequestHandler {
  const readAsset = keepAsset(async () => makeAsset(await readFile(file), extname(path)));
  const cacheControl = versioned.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  return async (req, res) => {
    const asset = await readAsset();
    res.set('Cache-Control', cacheControl);
    sendAsset(req, res, asset);
  };
}
