import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { Express, Request, RequestHandler, Response } from 'express';
import fresh from 'fresh';
import { once } from '#text/memoize.ts';
import { queryOf } from './parse/read-parameters.ts';

/**
 * Answers 304 exactly when If-None-Match names the answer's ETag (RFC 9110, 13.1.2). Express takes `no-cache`, which
 * every `fetch` with If-None-Match sends, for a refusal; and it answers `*` with an empty 304 if there is no ETag,
 * which would lose a key that is given only once.
 */
export function compareEtags({ request }: Express): void {
  // The documented way to replace a property of requests ("Overriding the Express API").
  Object.defineProperty(request, 'fresh', {
    configurable: true,
    get(this: Request): boolean {
      const { method, headers, res } = this;
      const etag = res?.get('ETag');
      const sentTag = headers['if-none-match']?.trim();
      const isRead = res?.statusCode === 200 && (method === 'GET' || method === 'HEAD');
      return isRead && Boolean(etag && sentTag) && fresh({ 'if-none-match': sentTag }, { etag });
    },
  });
}

export async function sendRevalidatable(res: Response, answer: object): Promise<void> {
  await sendRevalidatableText(res, JSON.stringify(answer), 'application/json');
}

/** The ETag is a digest of the bytes before compression: a weak one means the same content in every encoding. */
export async function sendRevalidatableText(res: Response, text: string, type: string): Promise<void> {
  const body = Buffer.from(text);
  res.set({ 'Cache-Control': 'private, no-cache', ETag: etagOf(body) }).type(type);
  await sendCompressed(res, body);
}

function etagOf(body: Buffer): string {
  return `W/"${hash('sha1', body, 'base64url')}"`;
}

/** Sends what is the same for everybody. The first requests make it and compress it as far as possible. */
export function handleAsset(
  make: () => string | Buffer,
  type: string,
  headers: Readonly<Record<string, string>>,
): RequestHandler {
  const asset = once(() => {
    const body = Buffer.from(make());
    const packed = { br: once(() => promisify(brotliCompress)(body)), gzip: once(() => promisify(gzip)(body)) };
    return { body, packed, etag: etagOf(body) };
  });
  return (_req, res) => {
    const { body, packed, etag } = asset();
    res.set({ ...headers, ETag: etag }).type(type);
    return sendCompressed(res, body, packed);
  };
}

/**
 * Sends the caller from the path of a merged id to that of the kept record (contract A15). Not for caches: a merge can
 * be taken back. `path` is relative to the path that was asked for, such as `../kept-id/similar`.
 */
export function sendToKept(res: Response, path: string): void {
  res.set('Cache-Control', 'private, no-cache').redirect(308, path + queryOf(res.req.originalUrl));
}

export async function sendJson(res: Response, answer: object): Promise<void> {
  res.type('application/json');
  await sendCompressed(res, Buffer.from(JSON.stringify(answer)));
}

/** Bodies up to this size fit into one packet uncompressed. */
const minBytes = 1_400;
/** Larger bodies are compressed in another thread, so that they delay no other answer. For smaller ones that costs more. */
const maxBytesHere = 40_000;

/**
 * The fastest level of each: measured on pages of search results, Brotli takes half the processor time of gzip for the
 * same size, and higher levels twice as much for a tenth less.
 */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const fastGzip = { level: constants.Z_BEST_SPEED };

const compressors = {
  br: (body: Buffer) =>
    body.length <= maxBytesHere ? brotliCompressSync(body, brotli) : promisify(brotliCompress)(body, brotli),
  gzip: (body: Buffer) => (body.length <= maxBytesHere ? gzipSync(body, fastGzip) : promisify(gzip)(body, fastGzip)),
};

/** Sends a text, compressed if that is worth it and the caller accepts it. Answers 304 if the caller has it already. */
export async function sendCompressed(res: Response, body: Buffer, packed = compressors): Promise<void> {
  const { req } = res;
  res.vary('Accept-Encoding');
  const preferred = body.length < minBytes || req.fresh ? '' : req.acceptsEncodings('gzip', 'br', 'identity');
  if (preferred !== 'gzip' && preferred !== 'br') return void res.send(body);
  // Brotli before gzip, where the caller takes both.
  const encoding = req.acceptsEncodings('br') === 'br' ? 'br' : 'gzip';
  res.set('Content-Encoding', encoding).send(await packed[encoding](body));
}
