import { basename } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import type { ImportProgress } from './import-file.ts';

/** Shows how an import goes on, until it is told to stop. */
export interface ProgressDisplay {
  show: (progress: ImportProgress) => void;
  stop: () => void;
}

const secondsBetweenLines = 5;

const barFormats: Readonly<Record<ImportProgress['phase'], string>> = {
  looking: '{file}: looking for repeated ids [{bar}] {percentage}%',
  importing: '{file} [{bar}] {percentage}% | {rows} rows | {rate} rows/s | {eta_formatted} left',
};

export const silentDisplay: ProgressDisplay = { show: () => undefined, stop: () => undefined };

/** A bar with rate and remaining time on a terminal, elsewhere a plain line every few seconds; on standard error. */
export function createDisplay(): ProgressDisplay {
  return process.stderr.isTTY ? new BarDisplay() : new LineDisplay();
}

class BarDisplay implements ProgressDisplay {
  #bar: SingleBar | null = null;
  #shown = '';
  #start = 0;

  show = (progress: ImportProgress): void => {
    const { file, phase, size, bytesRead, rows } = progress;
    if (this.#shown !== file + phase) {
      this.stop();
      this.#shown = file + phase;
      this.#start = performance.now();
      const format = barFormats[phase];
      this.#bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, etaBuffer: 50 }, Presets.legacy);
      this.#bar.start(size ?? bytesRead, 0, { file: basename(file), rows: 0, rate: 0 });
    }
    if (size === null) this.#bar?.setTotal(bytesRead);
    this.#bar?.update(bytesRead, { rows, rate: rowsASecond(rows, this.#start) });
  };

  stop = (): void => {
    this.#bar?.stop();
    this.#bar = null;
  };
}

class LineDisplay implements ProgressDisplay {
  #shown = '';
  #start = performance.now();
  #last = performance.now();

  show = ({ file, phase, size, bytesRead, rows }: ImportProgress): void => {
    const now = performance.now();
    if (this.#shown !== file + phase) {
      this.#shown = file + phase;
      this.#start = now;
    }
    if (now - this.#last < secondsBetweenLines * 1_000) return;
    this.#last = now;
    const share = size === null || size === 0 ? null : bytesRead / size;
    const percentage = share === null ? '' : ` ${Math.floor(share * 100)}%`;
    if (phase === 'looking') {
      console.error(`${basename(file)}: looking for repeated ids${percentage}`);
      return;
    }
    const left =
      share === null || share === 0
        ? ''
        : `, ${Math.ceil((((now - this.#start) / share) * (1 - share)) / 1_000)} s left`;
    console.error(`${basename(file)}:${percentage} ${rows} rows, ${rowsASecond(rows, this.#start)} rows/s${left}`);
  };

  stop = (): void => undefined;
}

function rowsASecond(rows: number, start: number): number {
  return Math.round((rows * 1_000) / Math.max(1, performance.now() - start));
}
