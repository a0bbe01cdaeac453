import { userInfo } from 'node:os';

/** Who runs a command, for the audit log: the user's name; in a container, where users may have none, their number. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
