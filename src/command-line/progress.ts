export interface Progress {
  title: string;
  /** How much of `total` is done; null if the total is unknown. */
  done: number;
  total: number | null;
  count: number;
  unit: string;
}

/** How often a line is written, in milliseconds. On a terminal it replaces the line before. */
const everyMs = { terminal: 100, elsewhere: 5_000 };
/** After less time no rate is shown, because it would mean little. */
const minRateMs = 500;

/** Shows the progress of a job on standard error until it is stopped. */
export function createProgressDisplay({ isSilent }: { isSilent: boolean }) {
  const isTerminal = process.stderr.isTTY;
  let step = { title: '', startedAt: 0 };
  let writtenAt = performance.now();
  return {
    show(progress: Progress): void {
      const now = performance.now();
      if (progress.title !== step.title) step = { title: progress.title, startedAt: now };
      if (isSilent || now - writtenAt < (isTerminal ? everyMs.terminal : everyMs.elsewhere)) return;
      writtenAt = now;
      const line = describe(progress, now - step.startedAt);
      process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
    },
    stop(): void {
      if (isTerminal && !isSilent) process.stderr.write('\r\u001b[K');
    },
  };
}

function describe({ title, done, total, count, unit }: Progress, ms: number): string {
  const rate = ms < minRateMs ? 0 : Math.round((count * 1_000) / ms);
  const share = total ? done / total : 0;
  const parts = [
    ...(count === 0 ? [] : [`${count} ${unit}`]),
    ...(share === 0 ? [] : [`${Math.floor(share * 100)}%`]),
    ...(rate === 0 ? [] : [`${rate} ${unit}/s`]),
    ...(share === 0 || rate === 0 ? [] : [`${Math.ceil(((ms / share) * (1 - share)) / 1_000)} s left`]),
  ];
  return `${title}: ${parts.join(', ')}`;
}

/** Shows how many of `total` records each step of a job has processed. */
export function countRecords(total: number, { isSilent = false }: { isSilent?: boolean | undefined }) {
  const { show, stop } = createProgressDisplay({ isSilent });
  return { show: (title: string, done: number) => show({ title, done, total, count: done, unit: 'records' }), stop };
}
