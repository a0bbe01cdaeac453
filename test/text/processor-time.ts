/**
 * Processor time of a function in milliseconds. Other load does not count, so a limit distinguishes slow code from a
 * busy machine.
 */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
