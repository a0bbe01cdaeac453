/**
 * How long a function keeps the processor busy, in milliseconds. What else the machine does is not counted, so that a bound
 * of it tells slow code from a busy machine.
 */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
