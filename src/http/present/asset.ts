import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** A text that is the same for everybody, ready to be sent. */
export interface Asset {
  type: string;
  body: Buffer;
  /** Gzipped. */
  packed: Buffer;
  etag: string;
}

export async function makeAsset(content: string | Buffer, type: string): Promise<Asset> {
  const body = Buffer.from(content);
  return { type, body, packed: await promisify(gzip)(body), etag: hash('sha1', body, 'base64url') };
}

/** Makes an asset at the first request and keeps it. If that fails, the next request tries again. */
export function keepAsset(make: () => Promise<Asset>): () => Promise<Asset> {
  let kept: Promise<Asset> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

/** Sends it, gzipped if accepted; compare-etags.ts answers 304 if the caller has it. */
export function sendAsset(req: Request, res: Response, { type, body, packed, etag }: Asset): void {
  const isPacked = req.acceptsEncodings('gzip', 'identity') === 'gzip';
  res.vary('Accept-Encoding').type(type);
  res.set('ETag', `"${etag}${isPacked ? '-gzip' : ''}"`);
  if (isPacked) res.set('Content-Encoding', 'gzip');
  res.send(isPacked ? packed : body);
}
