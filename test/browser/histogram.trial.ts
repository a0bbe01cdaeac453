import { describe, expect } from 'vitest';
import { it } from './pages-test.ts';

const lower = { name: 'Min audience, to drag' };
const upper = { name: 'Max audience, to drag' };

// 45 papers with about 90,000 readers, 3 podcasts with 500 listeners, and one record with an audience of 1.
describe('the histogram of the audience in a real browser', () => {
  it('shows the counts of each step, and filters by keys alone', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(service.url);
    const summary = await page.getByRole('img', { name: /^0–99: 1 result; / }).getAttribute('aria-label');
    expect(summary).toContain('300–999: 3 results; ');
    expect(summary).toContain('30,000–99,999: 45 results; ');
    expect(summary).toContain('30,000,000+: 0 results');
    const slider = page.getByRole('slider', lower);
    expect(await slider.getAttribute('aria-valuetext')).toBe('any');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await visitor.seesCount('48 results');
    expect(new URL(page.url()).search).toBe('?min_audience=100');
    expect(await slider.getAttribute('aria-valuetext')).toBe('100');
    // The focus stays, so that keys go on.
    for (const _ of Array(3)) await page.keyboard.press('ArrowRight');
    await visitor.seesCount('45 results');
    await expect.poll(() => new URL(page.url()).search).toBe('?min_audience=3000');
    expect(await page.getByRole('spinbutton', { name: 'Min audience' }).inputValue()).toBe('3000');
    await page.keyboard.press('Home');
    await visitor.seesCount('49 results');
    expect(new URL(page.url()).search).toBe('');
  });

  it('filters by dragging, and never lets the ends cross', async ({ service, visitor }) => {
    const { page } = visitor;
    await page.goto(service.url);
    const slider = page.getByRole('slider', upper);
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    if (box === null) throw new Error('the slider is not there');
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width - 12, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 12, y, { steps: 8 });
    await page.mouse.up();
    await visitor.seesCount('1 result');
    expect(new URL(page.url()).search).toBe('?max_audience=99');
    expect(await page.getByRole('slider', lower).inputValue()).toBe('0');
    await page.getByRole('slider', lower).focus();
    await page.keyboard.press('End');
    // The counts are those without the bound.
    expect(await page.getByRole('img', { name: /30,000–99,999: 45 results/ }).count()).toBe(1);
    expect(await page.getByRole('slider', lower).inputValue()).toBe('0');
  });

  it('is a picture above two number fields without JavaScript', async ({ service, visit }) => {
    const visitor = await visit({ javaScriptEnabled: false });
    const { page } = visitor;
    await page.goto(service.url);
    expect(await page.getByRole('img', { name: /30,000–99,999: 45 results/ }).isVisible()).toBe(true);
    expect(await page.getByRole('slider').count()).toBe(0);
    await page.getByRole('spinbutton', { name: 'Min audience' }).fill('300');
    await page.getByRole('spinbutton', { name: 'Max audience' }).fill('999');
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await visitor.seesCount('3 results');
  });
});
