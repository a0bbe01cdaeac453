import { Presets, SingleBar } from 'cli-progress';

/** Shows how many records of a known number are done in each phase of a job, until it is told to stop. */
export interface PhaseDisplay {
  show: (phase: string, done: number) => void;
  stop: () => void;
}

const betweenLinesMs = 5_000;

/**
 * A bar with rate and remaining time on a terminal, elsewhere a plain line every few seconds and at the beginning of each
 * phase; on standard error. Nothing at all where it is to be silent.
 */
export function createPhaseDisplay(total: number, isSilent: boolean): PhaseDisplay {
  if (isSilent) return { show: () => {}, stop: () => {} };
  return process.stderr.isTTY ? showBar(total) : showLines(total);
}

function showLines(total: number): PhaseDisplay {
  const rate = new Rate();
  let said = '';
  let saidAt = 0;
  return {
    show(phase, done) {
      rate.follow(phase, done);
      if (phase === said && performance.now() - saidAt < betweenLinesMs) return;
      said = phase;
      saidAt = performance.now();
      console.error(`${phase}: ${done} of ${total} records${rate.now === 0 ? '' : `, ${rate.now}/s`}`);
    },
    stop() {},
  };
}

function showBar(total: number): PhaseDisplay {
  const rate = new Rate();
  const format = '{phase} [{bar}] {percentage}% | {value} records | {rate} records/s | {eta_formatted} left';
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, etaBuffer: 50 }, Presets.legacy);
  bar.start(total, 0, { phase: '', rate: 0 });
  return {
    show(phase, done) {
      rate.follow(phase, done);
      bar.update(done, { phase, rate: rate.now });
    },
    stop: () => bar.stop(),
  };
}

/** A rate of less than this long is chance. */
const leastMs = 500;

/** Records a second since a phase began; 0 until there is one. */
class Rate {
  now = 0;
  #phase = '';
  #start = 0;

  follow(phase: string, done: number): void {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#start = performance.now();
    }
    const ms = performance.now() - this.#start;
    this.now = ms < leastMs ? 0 : Math.round((done * 1_000) / ms);
  }
}
