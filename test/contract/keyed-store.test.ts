import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type KeyedKind, newOrderedKey } from '#records/keyed-store.ts';
import { testStores } from '#testing/backends.ts';
import { useOne } from '#testing/use.ts';

interface Note {
  owner: string;
  at: string;
  text: string;
}

const kind: KeyedKind<Note> = { name: 'notes', ownerOf: ({ owner }) => owner, orderOf: ({ at }) => at };

function note(given: Partial<Note> = {}): Note {
  return { owner: 'ada', at: '2026-03-01', text: 'a $note', ...given };
}

describe.each(testStores)('values kept under keys, $name', ({ open }) => {
  const backend = useOne(open);

  it('are found as they were written last, until they are removed', async () => {
    const notes = backend.keyed(kind);
    expect(await notes.find('one')).toBeNull();
    expect(await notes.change('one', (value) => (value === null ? note() : null))).toEqual(note());
    const other = note({ text: 'another', owner: '$owner' });
    expect(await notes.change('one', () => other)).toEqual(other);
    expect(await notes.find('one')).toEqual(other);
    expect(await notes.change('one', (value) => value)).toEqual(other);
    expect(await notes.change('one', () => null)).toBeNull();
    expect(await notes.find('one')).toBeNull();
    expect(await notes.change('one', () => null)).toBeNull();
  });

  it('are listed by their owner, from a place on, the last first', async () => {
    const notes = backend.keyed(kind);
    const [owner, other] = [randomUUID(), randomUUID()];
    const made = ['2026-03-02', '2026-03-01', '2026-03-03'].map((at) => note({ owner, at }));
    for (const value of [...made, note({ owner: other })]) await notes.change(randomUUID(), () => value);
    const days = async (query: { from?: string; limit?: number }) =>
      (await notes.list({ owner, ...query })).map(({ at }) => at);
    expect(await days({})).toEqual(['2026-03-03', '2026-03-02', '2026-03-01']);
    expect(await days({ from: '2026-03-02' })).toEqual(['2026-03-03', '2026-03-02']);
    expect(await days({ limit: 1 })).toEqual(['2026-03-03']);
    expect((await notes.list()).length).toBeGreaterThanOrEqual(4);
  });

  it('that are equal in order come in that of their keys', async () => {
    const notes = backend.keyed({ ...kind, name: 'ordered_notes' });
    for (const text of ['first', 'second']) await notes.change(newOrderedKey('2026-03-01'), () => note({ text }));
    expect((await notes.list()).map(({ text }) => text)).toEqual(['second', 'first']);
  });

  it('of another kind have keys of their own', async () => {
    const [notes, others] = [backend.keyed(kind), backend.keyed({ ...kind, name: 'other_notes' })];
    await notes.change('shared', () => note());
    expect(await others.find('shared')).toBeNull();
    expect(await others.list()).toEqual([]);
  });

  it('lose no change of many at once', async () => {
    const notes = backend.keyed(kind);
    const add = () => notes.change('many', (value) => note({ text: `${value?.text ?? ''}x` }));
    await Promise.all(Array.from({ length: 30 }, add));
    expect((await notes.find('many'))?.text).toBe('x'.repeat(30));
  });

  it('keep what they were if the change fails', async () => {
    const notes = backend.keyed(kind);
    await notes.change('failing', () => note());
    const failing = notes.change('failing', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await notes.find('failing')).toEqual(note());
  });

  it('are gone once they expire, and each write lets them live on', async () => {
    const gone = backend.keyed({ ...kind, livesMs: 0 });
    const living = backend.keyed({ ...kind, livesMs: 60_000 });
    await living.change('expiring', () => note());
    expect(await living.find('expiring')).toEqual(note());
    await gone.change('expiring', () => note({ owner: 'gone' }));
    expect(await living.find('expiring')).toBeNull();
    expect(await living.list({ owner: 'gone' })).toEqual([]);
    const seen: (Note | null)[] = [];
    await living.change('expiring', (value) => {
      seen.push(value);
      return note({ text: 'again' });
    });
    expect(seen).toEqual([null]);
    expect(await living.find('expiring')).toEqual(note({ text: 'again' }));
  });
});
