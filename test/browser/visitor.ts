import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page: what reaches past the window's edge, with its text, and is not scrolled or cut off by another element. */
const listWide = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const endOf = (each) => {
    const content = document.createRange();
    content.selectNodeContents(each);
    return Math.max(each.getBoundingClientRect().right, content.getBoundingClientRect().right);
  };
  const isCut = (each) =>
    each !== document.body && (getComputedStyle(each).overflowX !== 'visible' || isCut(each.parentElement));
  const wide = [...document.body.querySelectorAll('*')].filter((each) => endOf(each) > clientWidth + 1 && !isCut(each) && each.checkVisibility());
  return [scrollWidth + ' px in ' + clientWidth, ...wide.slice(-5).map((each) => each.outerHTML.slice(0, 200))];
})()`;

/** Runs in the page: waits for its module. */
const runModules = `(async () => {
  const entry = document.querySelector('head > script[type="module"]');
  if (entry !== null) await import(new URL(entry.getAttribute('src'), location.href));
})()`;

/** Somebody at a browser of their own, with nothing kept from before, where it is hours later than in UTC. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The URLs of all requests. */
  readonly requested: string[] = [];
  /** What the browser complained of: scripts that failed or ran where they must not, and breaches of the policy. */
  readonly complaints: string[] = [];

  static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ acceptDownloads: true, timezoneId: 'Pacific/Kiritimati', ...options });
    context.setDefaultTimeout(60_000);
    if (options.javaScriptEnabled !== false) context.on('page', awaitModules);
    return new Visitor(context, await context.newPage());
  }

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    context.on('request', (request) => this.requested.push(request.url()));
    context.on('weberror', (error) => this.complaints.push(String(error.error())));
    context.on('dialog', (dialog) => {
      if (dialog.type() !== 'beforeunload') this.complaints.push(`a script ran: ${dialog.message()}`);
      void dialog.accept();
    });
    page.on('console', (message) => {
      if (/Content Security Policy|TypeError|SyntaxError/.test(message.text())) this.complaints.push(message.text());
    });
  }

  /** Closes the browser's window; fails if the browser complained of anything. */
  async leave(): Promise<void> {
    await this.context.close();
    expect(this.complaints).toEqual([]);
  }

  async sees(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.page.getByText(text).first().isVisible()).toBe(true);
  }

  /** Resolves once the live region of the explorer shows this. */
  async seesCount(text: string): Promise<void> {
    const status = this.page.locator('.count');
    const read = () => status.textContent({ timeout: 1_000 }).catch(() => '');
    await expect.poll(read).toContain(text);
  }

  /** Opens a page, and signs in there. */
  async signIn(url: string, key: string): Promise<void> {
    await this.page.goto(url);
    await this.enterKey(key);
  }

  /** Makes a list of what is selected or found. */
  async addToNewList(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add to list' }).press('Enter');
    await this.page.getByRole('group', { name: 'Add to list' }).getByLabel('Name of a new list').fill(name);
    await this.page.keyboard.press('Enter');
  }

  async enterKey(key: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByLabel('Your key').fill(key);
    await this.page.getByLabel('Your key').press('Enter');
    // Another page that is opened at once would end the request that checks the key.
    await this.page.locator('p.plan, p.wrong:not(:empty)').first().waitFor();
  }

  /** Opens the choices of a filter, or of all that have no button of their own: `More filters`. */
  async openFilter(label: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${label}( \\(|$)`) }).click();
  }

  /** Opens the map of countries. */
  async openMap(): Promise<void> {
    await this.page.locator('summary', { hasText: 'On a map' }).press('Enter');
    await this.page.locator('svg.world').waitFor();
  }

  /** Whether the browser asks before it leaves the page. */
  async asksBeforeLeaving(): Promise<boolean> {
    return this.page.evaluate(`(() => {
      const event = new Event('beforeunload', { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    })()`);
  }

  /** Presses a button that saves a file. Returns its name and its lines, without the end of each. */
  async saves(button: Locator): Promise<{ name: string; lines: string[] }> {
    const waiting = this.page.waitForEvent('download');
    await button.click();
    const file = await waiting;
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    return { name: file.suggestedFilename(), lines };
  }

  /** What selects a record of this name. */
  selectBox(name: string): Locator {
    return this.page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  }

  /** What axe-core finds, by all its rules or by some. */
  async findBarriers(rules?: readonly string[]): Promise<string[]> {
    // What is about to change is pale.
    await this.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await this.page.evaluate(axe);
    // All that the page is found to pass would take longer to list than to find.
    const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
    const violations = (await this.page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)) as {
      id: string;
      nodes: { html: string }[];
    }[];
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }

  /** Doubles the size of text on every page from now on, as the settings of a browser do. */
  async enlargeText(): Promise<void> {
    await this.context.addInitScript(
      "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })",
    );
  }

  /** What makes the page wider than its window; nothing where it fits. */
  async findWide(): Promise<string[]> {
    return (await this.page.evaluate(listWide)) as string[];
  }
}

/**
 * Waits, whenever a test opens a page, until its modules run: before, links and forms lead on as without JavaScript. Not with
 * `waitUntil: 'commit'`, for what a person does before that.
 */
function awaitModules(page: Page): void {
  const { goto } = page;
  page.goto = async (url, options) => {
    const answer = await goto.call(page, url, options);
    if (options?.waitUntil !== 'commit') await page.evaluate(runModules);
    return answer;
  };
  for (const name of ['reload', 'goBack', 'goForward'] as const) {
    const open = page[name];
    page[name] = async (options) => {
      const answer = await open.call(page, options);
      await page.evaluate(runModules);
      return answer;
    };
  }
}
