import { Presets, SingleBar } from 'cli-progress';
import { escapeControls } from '#text/printed.ts';

/** The progress of a job. Each step has a title, and the count restarts with each step. */
export interface Progress {
  title: string;
  /** How much of `total` is done; null if the total is unknown. */
  done: number;
  total: number | null;
  /** What the reader sees: `1200 rows`. */
  count: number;
  unit: string;
}

/** Shows the progress of a job until it is stopped. */
interface ProgressDisplay {
  show: (progress: Progress) => void;
  stop: () => void;
}

const betweenLinesMs = 5_000;
/** A rate over a shorter time means little. */
const minRateMs = 500;

/**
 * On a terminal, a bar with rate and remaining time; elsewhere, a plain line every five seconds. On standard error, and
 * nothing if `isSilent`.
 */
export function createProgressDisplay(isSilent: boolean): ProgressDisplay {
  if (isSilent) return { show: () => {}, stop: () => {} };
  const display = process.stderr.isTTY ? new BarDisplay() : new LineDisplay();
  // The title may be a file name.
  return { ...display, show: (progress) => display.show({ ...progress, title: escapeControls(progress.title) }) };
}

/** Shows how many of `total` records each step of a job has processed. */
export function countRecords(total: number, isSilent = false) {
  const { show, stop } = createProgressDisplay(isSilent);
  return { show: (title: string, done: number) => show({ title, done, total, count: done, unit: 'records' }), stop };
}

class BarDisplay implements ProgressDisplay {
  readonly #step = new Step();
  #bar: SingleBar | null = null;

  show = (progress: Progress): void => {
    const { title, done, total, count, unit } = progress;
    if (this.#step.follow(progress)) {
      this.stop();
      const format = `{title} [{bar}] {percentage}% | {count} ${unit} | {rate}/s | {eta_formatted} left`;
      this.#bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, etaBuffer: 50 }, Presets.legacy);
      this.#bar.start(total ?? done, 0, { title, count: 0, rate: 0 });
    }
    if (total === null) this.#bar?.setTotal(done);
    this.#bar?.update(done, { title, count, rate: this.#step.rateOf(count) });
  };

  stop = (): void => {
    this.#bar?.stop();
    this.#bar = null;
  };
}

class LineDisplay implements ProgressDisplay {
  readonly #step = new Step();
  #writtenAt = performance.now();

  show = (progress: Progress): void => {
    this.#step.follow(progress);
    if (performance.now() - this.#writtenAt < betweenLinesMs) return;
    this.#writtenAt = performance.now();
    const { title, done, total, count, unit } = progress;
    const share = total === null || total === 0 ? null : done / total;
    const rate = this.#step.rateOf(count);
    const parts = [
      ...(count === 0 ? [] : [`${count} ${unit}`]),
      ...(share === null ? [] : [`${Math.floor(share * 100)}%`]),
      ...(rate === 0 ? [] : [`${rate} ${unit}/s`]),
      ...(share === null || share === 0 || rate === 0 ? [] : [`${this.#step.secondsLeft(share)} s left`]),
    ];
    console.error(`${title}: ${parts.join(', ')}`);
  };

  stop = (): void => {};
}

/** The current step of a job, and when it started. */
class Step {
  #title: string | null = null;
  #start = 0;

  /** Returns whether a new step started. */
  follow({ title }: Progress): boolean {
    if (title === this.#title) return false;
    this.#title = title;
    this.#start = performance.now();
    return true;
  }

  /** Per second; 0 until there is a rate. */
  rateOf(count: number): number {
    const ms = performance.now() - this.#start;
    return ms < minRateMs ? 0 : Math.round((count * 1_000) / ms);
  }

  secondsLeft(share: number): number {
    return Math.ceil((((performance.now() - this.#start) / share) * (1 - share)) / 1_000);
  }
}
