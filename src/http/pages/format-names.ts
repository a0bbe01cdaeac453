import type { AppDeps } from '../app-deps.ts';

/** What exports can be, as pages offer it, the default first. */
export function listFormatNames({ formats }: Pick<AppDeps, 'formats'>): { name: string; title: string }[] {
  return formats.map(({ name, title }) => ({ name, title }));
}
