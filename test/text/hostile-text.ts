import fc from 'fast-check';
import { anyCharacter } from '#testing/form.ts';
import hostile from './hostile.json' with { type: 'json' };

/** Text that is made to break cleaning: pieces of markup, addresses, encodings and characters of every sort. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...hostile.pieces, '\ud800'), fc.string({ unit: anyCharacter, maxLength: 5 })), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));

/**
 * An address as anybody writes it, in text that was cleaned: what must never be left. Which other forms are found is
 * tested form by form (addresses/address-forms.json).
 */
export const plainAddress = /[\p{L}\p{N}_.+-]@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]/u;

/**
 * Processor time of a function in milliseconds. Other load does not count, so a limit distinguishes slow code from a
 * busy machine.
 */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
