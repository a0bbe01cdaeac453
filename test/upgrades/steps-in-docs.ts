import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const [section = ''] = /^## Upgrade\n[\s\S]*?(?=^## )/m.exec(page) ?? [];

/** The commands of the upgrade for one way to run Masthead, by the bold words before them. */
export function blockFor(way: string): string {
  const blocks = section.matchAll(/^\*\*(.+?)\*\*[^\n]*\n```\n([\s\S]*?)^```/gm);
  for (const [, name, block = ''] of blocks) if (name === way) return block;
  throw new Error(`docs/operations.md has no steps for ${way}`);
}

/** The command of step 1 on engines. */
export function buildAhead(): string {
  const [, command] = /^1\. [^`]*`(npm run [^`]+)`/m.exec(section) ?? [];
  if (command === undefined) throw new Error('docs/operations.md has no command that builds the index ahead');
  return command;
}
