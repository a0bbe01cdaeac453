import { execFileSync } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface EngineUser {
  uid: number;
  gid: number;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Whom engines run as: Elasticsearch refuses to run as root, so root lends them `nobody`; others run them themselves. */
export function engineUser(): EngineUser | null {
  if (!isRoot()) return null;
  const read = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

/** Makes the folder and all in it the engine user's own. */
export function giveToEngineUser(user: EngineUser | null, folder: string): void {
  if (user === null) return;
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  for (const path of [folder, ...inside]) chownSync(path, user.uid, user.gid);
}
