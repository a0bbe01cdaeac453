import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { type Asset, makeAsset, sendAsset } from '../present/asset.ts';

const versioned = /-\d+\.\d+\.\d+\//;

/**
 * GET of a file that pages load: read with the first request, and kept. One whose path names a version may be kept for
 * good by browsers too; others are asked about each time, so that after an upgrade no two versions meet.
 */
export function serveWebFile(file: URL, path: string): RequestHandler {
  let kept: Promise<Asset> | undefined;
  const cacheControl = versioned.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  return async (req, res) => {
    kept ??= readFile(file).then((content) => makeAsset(content, extname(path)));
    const asset = await kept;
    res.set('Cache-Control', cacheControl);
    sendAsset(req, res, asset);
  };
}
