import { readFileSync } from 'node:fs';

/** The cases of a file: a line each below the headings, their cells in JSON with tabs between. A `#` begins a remark. */
export function readCases<Case extends unknown[]>(file: URL): Case[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  const cases = lines.filter((line) => !line.startsWith('#'));
  return cases.map((line) => line.split('\t').map((cell) => JSON.parse(cell)) as Case);
}
