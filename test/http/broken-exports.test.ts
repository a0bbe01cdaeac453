import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { plans } from '#accounts/plans.ts';
import { exportFile } from '#http/api/export.ts';
import type { AppDeps } from '#http/app-deps.ts';
import { handleProblems } from '#http/problem-answers.ts';
import type { FileLimits } from '#http/send-file.ts';
import type { RecordScan, SearchIndex } from '#search/search-index.ts';
import { fileFormats } from '#src/encodings/formats.ts';
import { Problem } from '#src/problem.ts';
import { createLogger } from '#src/start/create-logger.ts';
import { listen } from '#testing/listen.ts';
import { madeRecord } from '#testing/made-record.ts';
import { testNow } from './test-service.ts';

describe('an export whose source or reader fails', () => {
  const batch = Array.from({ length: 200 }, (_, index) =>
    madeRecord({ id: `r${index}`, description: 'x'.repeat(2_000) }),
  );

  /** The handler alone, on a scan that the test controls. */
  async function withExport(
    read: () => AsyncGenerator<typeof batch>,
    limits: Partial<FileLimits>,
    test: (url: string, state: { closed: number }) => Promise<void>,
    formats = fileFormats,
  ): Promise<void> {
    const state = { closed: 0 };
    const scan: RecordScan = {
      total: 1_000,
      close: async () => {
        state.closed += 1;
      },
      [Symbol.asyncIterator]: read,
    };
    const search = async () => ({ records: [], total: 0, isCorrected: false, dropped: [] });
    const index = { scan: async () => scan, search } as unknown as SearchIndex;
    const log = createLogger('silent', { write: () => {} });
    const app = express();
    app.use((_req, res, next) => {
      const plan = { tier: 'premium', expiresAt: '2030-01-01T00:00:00.000Z' };
      Object.assign(res.locals, { requestId: 'x', admission: { caller: { key: { hash: 'x', plan } } } });
      next();
    });
    const suppressions = { listKeysSince: async () => new Set() };
    const slots = { take: async () => ({ release: async () => {} }) };
    const usage = { count: () => {} };
    const changeFeed = { findPosition: async () => null };
    const given = { index, suppressions, slots, usage, changeFeed, now: () => testNow, formats, plans };
    const deps = given as unknown as AppDeps;
    const { handle } = exportFile(deps, { stallMs: 60_000, totalMs: 60_000, ...limits });
    app.get('/export', handle as unknown as RequestHandler);
    const answering = { log, publicUrl: 'https://masthead.example', webFiles: new Map(), contactEmail: null };
    app.use(handleProblems(answering as unknown as AppDeps));
    const server = await listen(app);
    try {
      await test(`${server.url}/export`, state);
      await expect.poll(() => state.closed).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  }

  async function* endless() {
    for (;;) yield batch;
  }

  it('is an ordinary error if the first batch fails', async () => {
    const failing = async function* (): AsyncGenerator<typeof batch> {
      yield await Promise.reject(new Problem('search_unavailable', 'The index is away.'));
    };
    await withExport(failing, {}, async (url) => {
      const response = await fetch(url);
      expect(response.status).toBe(503);
      expect(response.headers.get('content-disposition')).toBeNull();
      expect(response.headers.get('x-total-count')).toBeNull();
      expect(await response.json()).toMatchObject({ code: 'search_unavailable' });
    });
  });

  it('is refused before its first byte if it has more rows than the format can hold', async () => {
    const refuse = async (url: string) => {
      const response = await fetch(url);
      expect(response.status).toBe(422);
      expect(response.headers.get('content-disposition')).toBeNull();
      const detail = expect.stringContaining('1,000 records, and csv holds at most 999');
      expect(await response.json()).toMatchObject({ code: 'too_many_rows', detail });
    };
    const small = fileFormats.map((format) => ({ ...format, maxRecords: 999 }));
    await withExport(endless, {}, refuse, small);
  });

  it('breaks the connection if a later batch fails, compressed or not', async () => {
    const failing = async function* () {
      yield batch;
      yield batch;
      throw new Problem('search_unavailable', 'The index is away.');
    };
    for (const encoding of ['identity', 'gzip']) {
      await withExport(failing, {}, async (url) => {
        const response = await fetch(url, { headers: { 'Accept-Encoding': encoding } });
        expect(response.status).toBe(200);
        await expect(response.text()).rejects.toThrow();
      });
    }
  });

  it('is cut off if its reader takes nothing for too long', async () => {
    await withExport(endless, { stallMs: 200 }, async (url, state) => {
      const request = get(url, { agent: false }).on('error', () => {});
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.pause();
      await expect.poll(() => state.closed).toBe(1);
      await expect(response.toArray()).rejects.toThrow();
    });
  });

  it('is cut off if it lasts too long', async () => {
    await withExport(endless, { totalMs: 500 }, async (url) => {
      const response = await fetch(url);
      const reader = response.body?.getReader();
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
      const rest = async () => {
        while (!(await reader?.read())?.done);
      };
      await expect(rest()).rejects.toThrow();
    });
  });
});
