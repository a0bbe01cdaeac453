import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { keepAsset, makeAsset, sendAsset } from '../present/asset.ts';

const versioned = /-\d+\.\d+\.\d+\//;

/**
 * GET of a file that pages load: read with the first request, and kept. One whose path names a version may be kept for
 * good by browsers too; others are asked about each time, so that after an upgrade no two versions meet.
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
