import { dayMs } from '#text/days.ts';
import type { Dice } from './dice.ts';

/** Times are before this moment, so a sample never depends on the day it was generated. */
const latest = Date.UTC(2026, 9, 31);

export function daysBefore(days: number, dice: Dice): string {
  return new Date(latest - days * dayMs - dice.below(86_400) * 1000).toISOString();
}
