import { Presets, SingleBar } from 'cli-progress';

/** Shows how many records of a known number are done, until it is told to stop. */
export interface CountDisplay {
  show: (done: number) => void;
  stop: () => void;
}

const betweenLinesMs = 5_000;

/** A bar with rate and remaining time on a terminal, elsewhere a plain line every few seconds; on standard error. */
export function createCountDisplay(total: number): CountDisplay {
  const start = performance.now();
  const rate = (done: number) => Math.round((done * 1_000) / Math.max(1, performance.now() - start));
  if (!process.stderr.isTTY) {
    let last = start;
    return {
      show(done) {
        if (performance.now() - last < betweenLinesMs) return;
        last = performance.now();
        console.error(`${done} of ${total} records, ${rate(done)}/s`);
      },
      stop() {},
    };
  }
  const format = '[{bar}] {percentage}% | {value} records | {rate} records/s | {eta_formatted} left';
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, etaBuffer: 50 }, Presets.legacy);
  bar.start(total, 0, { rate: 0 });
  return { show: (done) => bar.update(done, { rate: rate(done) }), stop: () => bar.stop() };
}
