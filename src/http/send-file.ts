import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { ExportFormat } from '#outbound/export-records.ts';

export interface FileLimits {
  /** How long a reader may take nothing, in milliseconds. */
  stallMs: number;
  /** Maximum duration, in milliseconds. */
  totalMs: number;
}

/**
 * Sends a file, gzipped if the caller accepts it and it is not compressed already. To a caller who may get a trailer, its
 * digest comes last (RFC 9530). Resolves when everything is sent, or the reader has left. Rejects if the source failed.
 */
export async function sendFile(
  req: Request,
  res: Response,
  file: ReturnType<ExportFormat['write']>,
  { isCompressed, stallMs, totalMs }: FileLimits & Pick<ExportFormat, 'isCompressed'>,
): Promise<void> {
  const steps: NodeJS.ReadWriteStream[] = [];
  if (!isCompressed && req.acceptsEncodings('gzip', 'identity') === 'gzip') {
    res.set('Content-Encoding', 'gzip');
    steps.push(createGzip(gzipOptions));
  }
  // HTTP/1.0 has no trailers.
  if (req.httpVersion !== '1.0') {
    res.set('Trailer', 'Content-Digest');
    // Without its length, so that an empty file has a trailer too.
    res.flushHeaders();
    steps.push(new TrailingDigest(res));
  }
  const deadline = setTimeout(() => res.socket?.resetAndDestroy(), totalMs);
  res.setTimeout(stallMs, () => res.socket?.resetAndDestroy());
  try {
    await pipeline([...file, ...steps, res]);
  } catch (error) {
    if (!hasLeft(error)) throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** Passes bytes on, and then adds their SHA-256 to the trailers of the answer. */
class TrailingDigest extends Transform {
  readonly #hash = createHash('sha256');
  readonly #res: Response;

  constructor(res: Response) {
    super();
    this.#res = res;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#hash.update(chunk);
    callback(null, chunk);
  }

  override _flush(callback: TransformCallback): void {
    this.#res.addTrailers({ 'Content-Digest': `sha-256=:${this.#hash.digest('base64')}:` });
    callback();
  }
}

/** Fast compression, since the network is seldom the bottleneck of an export; each piece is sent as it is made. */
const gzipOptions = { level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH };

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
