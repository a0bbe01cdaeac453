import { userInfo } from 'node:os';

/**
 * Who runs a command, for the audit log: the user's name, or the user's number in containers, where users may have no
 * name.
 */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
