/** Waits for a condition while the clock of the test stands still: `expect.poll` would move it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
