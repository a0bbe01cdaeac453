import type { Response } from 'express';
import { queryOf } from './parse/read-parameters.ts';

/**
 * Sends the caller from the path of a merged id to that of the record that was kept, with the same parameters (contract
 * A15). The answer is not for caches: a merge can be taken back.
 *
 * @param path relative to the path that was asked for, such as `../kept-id/similar`
 */
export function sendToKept(res: Response, path: string): void {
  res.set('Cache-Control', 'private, no-cache').redirect(308, path + queryOf(res.req.originalUrl));
}
