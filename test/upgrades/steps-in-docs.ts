import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const sectionOf = (heading: string) => page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`)) ?? '';

/** The commands of a section for one way to run Masthead, by the bold words before them. */
export function blockFor(way: string, heading: 'Upgrade' | 'Back up and restore' = 'Upgrade'): string {
  const blocks = sectionOf(heading).matchAll(/^\*\*(.+?)\*\*[^\n]*\n```\n([\s\S]*?)^```/gm);
  for (const [, name, block = ''] of blocks) if (name === way) return block;
  throw new Error(`docs/operations.md has no steps for ${way} under ${heading}`);
}

/** The lines that copy the units and the script to their places. */
export const installUnits = blockFor('systemd, embedded')
  .split('\n')
  .filter((line) => line.startsWith('install'))
  .join('\n');
