/** What each line of JSON says. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of answers that tests look at
export const parseLines = (text: string): any[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
