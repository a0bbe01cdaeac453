import type { BrowserContextOptions } from 'playwright-core';
import { test } from 'vitest';
import { openBrowser } from '#testing/browser.ts';
import { servePages } from './page-service.ts';
import { Visitor } from './visitor.ts';

/**
 * A test of the pages in a real browser. It takes what it needs: `service`, one for the file; `visitor`, somebody at a browser
 * of their own, and `page`, what they see; `visit` for another browser, such as one without JavaScript. Skipped where there is no browser.
 */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its pattern.
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser();
    onCleanup(async () => browser?.close());
    return browser;
  })
  // biome-ignore lint/correctness/noEmptyPattern: the same.
  .extend('service', { scope: 'file' }, async ({}, { onCleanup }) => {
    const service = await servePages();
    onCleanup(() => service.close());
    return service;
  })
  .extend('visit', async ({ browser, service, skip }, { onCleanup }) => {
    const visitors: Visitor[] = [];
    onCleanup(async () => {
      for (const visitor of visitors) await visitor.leave();
    });
    return async (options: BrowserContextOptions = {}): Promise<Visitor> => {
      if (browser === null) return skip('no browser');
      const visitor = await Visitor.open(browser, { baseURL: service.url, ...options });
      visitors.push(visitor);
      return visitor;
    };
  })
  .extend('visitor', ({ visit }) => visit())
  .extend('page', ({ visitor }) => visitor.page);
