import { readFileSync } from 'node:fs';

/** The name of the setting that gives the secret `name` as a file. */
export const fileSettingOf = (name: string) => `${name}_FILE`;

/**
 * Returns the environment with each secret that is given as a file, as Docker and Kubernetes do: `NAME_FILE` is the
 * path of a file whose trimmed content is the value of `NAME`. Faults are lines that say what is wrong and what to do.
 * They don't repeat the path, since someone may have put the secret itself there.
 */
export function readSecretFiles(
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): { env: NodeJS.ProcessEnv; faults: string[] } {
  const values: NodeJS.ProcessEnv = {};
  const faults: string[] = [];
  for (const name of names) {
    const fileSetting = fileSettingOf(name);
    const path = env[fileSetting]?.trim();
    if (!path) continue;
    if (env[name]?.trim()) {
      faults.push(`${name} and ${fileSetting} are both set. Set only one of them.`);
      continue;
    }
    try {
      const value = readFileSync(path, 'utf8').trim();
      if (value === '') faults.push(`${fileSetting} names an empty file. Write the value of ${name} into it.`);
      values[name] = value;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      faults.push(`${fileSetting} names an unreadable file (${code}). Use a file that this user can read.`);
    }
  }
  return { env: { ...env, ...values }, faults };
}
