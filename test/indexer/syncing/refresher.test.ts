import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refresher } from '#indexer/syncing/refresher.ts';

const batch = { events: 10, hasMore: false };
/** Half of the time a change may take until it is searchable. */
const soonMs = 250;

describe("the sync's writes become searchable", () => {
  let times: number[];
  let refresher: Refresher;
  let takesMs: number;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    times = [];
    takesMs = 0;
    const refresh = async () => {
      times.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, takesMs));
    };
    refresher = new Refresher({ refresh }, 'records-1');
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('at once after a quiet time, and soon after each batch in a series', async () => {
    const start = performance.now();
    for (let time = 0; time < 2_000; time += 20) {
      refresher.note(batch);
      await vi.advanceTimersByTimeAsync(20);
    }
    await vi.advanceTimersByTimeAsync(soonMs);
    const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
    expect(times[0]).toBe(start);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(soonMs);
    expect(times.at(-1)).toBeGreaterThanOrEqual(start + 1_980);
  });

  it('through the engine alone while the sync is behind, and at once when it no longer is', async () => {
    for (let time = 0; time < 2_000; time += 20) {
      refresher.note({ events: 500, hasMore: true });
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(times).toEqual([]);
    refresher.note({ events: 0, hasMore: false });
    await vi.advanceTimersByTimeAsync(0);
    expect(times).toHaveLength(1);
  });

  it('again after a batch that was written during a refresh, never with two refreshes at the same time', async () => {
    takesMs = 1_000;
    refresher.note(batch);
    await vi.advanceTimersByTimeAsync(500);
    refresher.note(batch);
    await vi.advanceTimersByTimeAsync(499);
    expect(times).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(soonMs);
    expect(times).toHaveLength(2);
  });

  it('through the engine alone, too, if the sync falls behind during a refresh', async () => {
    takesMs = 1_000;
    refresher.note(batch);
    await vi.advanceTimersByTimeAsync(500);
    refresher.note({ events: 500, hasMore: true });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(times).toHaveLength(1);
    refresher.note(batch);
    await vi.advanceTimersByTimeAsync(soonMs);
    expect(times).toHaveLength(2);
  });

  it('without a refresh if nothing was written', async () => {
    refresher.note({ events: 0, hasMore: false });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(times).toEqual([]);
  });

  it('after a failed refresh with the next one', async () => {
    let asked = 0;
    const refresh = async () => {
      asked += 1;
      throw new Error('the engine is away');
    };
    const failing = new Refresher({ refresh }, 'records-1');
    failing.note(batch);
    await vi.advanceTimersByTimeAsync(soonMs);
    failing.note(batch);
    await vi.advanceTimersByTimeAsync(soonMs);
    expect(asked).toBe(2);
  });
});
