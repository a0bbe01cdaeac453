import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Express, Request, RequestHandler, Response } from 'express';
import fresh from 'fresh';
import { sendCompressed } from './send-compressed.ts';

/**
 * Makes Express answer 304 exactly when If-None-Match names the ETag of the answer (RFC 9110, 13.1.2). By itself it
 * also treats `Cache-Control: no-cache` as a refusal, although that is meant for caches on the way and every `fetch`
 * with If-None-Match sends it; and it answers `*` with an empty 304 if there is no ETag, which would lose a key that is
 * given only once.
 */
export function compareEtags(app: Express): void {
  // The documented way to replace a property of requests ("Overriding the Express API").
  const { request } = app as unknown as { request: object };
  Object.defineProperty(request, 'fresh', {
    configurable: true,
    get(this: Request): boolean {
      return isFresh(this);
    },
  });
}

function isFresh({ method, headers, res }: Request): boolean {
  const etag = res?.get('ETag');
  const known = headers['if-none-match'];
  if (!etag || !known || !res || res.statusCode !== 200 || (method !== 'GET' && method !== 'HEAD')) return false;
  return fresh({ 'if-none-match': known.trim() }, { etag });
}

/**
 * Sends JSON that its caller may keep and revalidate. The ETag is a digest of the bytes before compression: a weak one
 * means the same content in every encoding.
 */
export async function sendRevalidatable(res: Response, answer: object): Promise<void> {
  const body = Buffer.from(JSON.stringify(answer));
  res
    .set({ 'Cache-Control': 'private, no-cache', ETag: `W/"${hash('sha1', body, 'base64url')}"` })
    .type('application/json');
  await sendCompressed(res, body);
}

/** A content that is the same for everybody, ready to be sent. */
interface Asset {
  body: Buffer;
  /** Gzipped. */
  packed: Buffer;
  etag: string;
}

/**
 * Sends a content that is the same for everybody, gzipped if accepted: made at the first request and kept. If that
 * fails, the next request tries again.
 */
export function handleAsset(
  make: () => string | Promise<Buffer>,
  type: string,
  headers: Readonly<Record<string, string>>,
): RequestHandler {
  let kept: Promise<Asset> | undefined;
  return async (req, res) => {
    kept ??= makeAsset(make).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    const { body, packed, etag } = await kept;
    const isPacked = req.acceptsEncodings('gzip', 'identity') === 'gzip';
    res.set(headers).vary('Accept-Encoding').type(type);
    res.set('ETag', `"${etag}${isPacked ? '-gzip' : ''}"`);
    if (isPacked) res.set('Content-Encoding', 'gzip');
    res.send(isPacked ? packed : body);
  };
}

async function makeAsset(make: () => string | Promise<Buffer>): Promise<Asset> {
  const body = Buffer.from(await make());
  return { body, packed: await promisify(gzip)(body), etag: hash('sha1', body, 'base64url') };
}
