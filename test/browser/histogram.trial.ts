import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

const lower = { name: 'Min audience, to drag' };
const upper = { name: 'Max audience, to drag' };

// 45 papers with about 90,000 readers, 3 podcasts with 500 listeners, and one record with an audience of 1.
describe('the histogram of the audience in a real browser', () => {
  it('follows exact numbers, the other filters and the back button', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(service.url);
    await page.getByRole('spinbutton', { name: 'Min audience' }).fill('450');
    await page.keyboard.press('Enter');
    await visitor.seesCount('48 results');
    expect(await page.getByRole('slider', lower).inputValue()).toBe('2');
    // The slider says the number itself, not where its step begins.
    expect(await page.getByRole('slider', lower).getAttribute('aria-valuetext')).toBe('450');
    await page.getByRole('checkbox', { name: /^United States/ }).check();
    await page.getByRole('img', { name: /^0–99: 0 results; .*30,000–99,999: 0 results/ }).waitFor();
    await page.goBack();
    await page.goBack();
    await visitor.seesCount('49 results');
    await expect.poll(() => page.getByRole('slider', lower).inputValue()).toBe('0');
    expect(await page.getByRole('spinbutton', { name: 'Min audience' }).inputValue()).toBe('');
  });

  it('takes a number with an exponent, and groups its digits', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(service.url);
    await page.getByRole('spinbutton', { name: 'Min audience' }).fill('1e3');
    await page.keyboard.press('Enter');
    await visitor.seesCount('45 results');
    expect(new URL(page.url()).search).toBe('?min_audience=1000');
    await visitor.sees('Min audience: 1,000');
  });

  it('keeps one entry of the history for one slider, and asks once where keys follow each other', async ({
    service,
    visitor,
  }) => {
    const { page } = visitor;
    await page.goto(service.url);
    const lengthBefore = await page.evaluate('history.length');
    const slider = page.getByRole('slider', lower);
    await slider.focus();
    await page.evaluate(`(async () => {
      const slider = document.activeElement;
      for (const value of [1, 2, 3, 4]) {
        slider.value = value;
        for (const type of ['input', 'change']) {
          slider.dispatchEvent(new Event(type, { bubbles: true }));
          await null;
        }
      }
    })()`);
    await visitor.seesCount('45 results');
    expect(new URL(page.url()).search).toBe('?min_audience=3000');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => new URL(page.url()).search).toBe('?min_audience=1000');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('1,000');
    expect(visitor.requested.filter((url) => url.includes('/api/v1/search?'))).toHaveLength(2);
    expect(await page.evaluate('history.length')).toBe(Number(lengthBefore) + 1);
    await page.goBack();
    await visitor.seesCount('49 results');
  });

  it('shows which of its ends has the focus', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(service.url);
    const pictures: string[] = [];
    for (const end of [lower, upper]) {
      await page.getByRole('slider', end).focus();
      pictures.push((await page.locator('.sliders').screenshot()).toString('base64'));
    }
    expect(pictures[0]).not.toBe(pictures[1]);
  });

  it.for([
    { width: 320, colorScheme: 'light' },
    { width: 1440, colorScheme: 'dark' },
  ] as const)('fits $width px, $colorScheme, without barriers', async ({ width, colorScheme }, { service, visit }) => {
    const visitor = await visit({ viewport: { width, height: 800 }, colorScheme });
    const { page } = visitor;
    await page.goto(`${service.url}/?min_audience=300`);
    if (width < 800) await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('slider', lower).waitFor();
    expect(await visitor.fitsWidth()).toBe(true);
    expect(await visitor.findBarriers()).toEqual([]);
  });
});
