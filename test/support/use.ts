import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

interface Closable {
  close(): unknown;
}

/** Opens something once for all tests of a file or a `describe`, and closes it after them. Use the result only in tests. */
export function useOne<Opened extends Closable>(
  open: () => Opened | Promise<Opened>,
  prepare?: (opened: Opened) => unknown,
): Opened {
  return use(open, prepare, beforeAll, afterAll);
}

/** The same, but opens a new one for each test. */
export function useEach<Opened extends Closable>(
  open: () => Opened | Promise<Opened>,
  prepare?: (opened: Opened) => unknown,
): Opened {
  return use(open, prepare, beforeEach, afterEach);
}

function use<Opened extends Closable>(
  open: () => Opened | Promise<Opened>,
  prepare: ((opened: Opened) => unknown) | undefined,
  before: typeof beforeAll,
  after: typeof afterAll,
): Opened {
  let opened: Opened | undefined;
  before(async () => {
    opened = await open();
    await prepare?.(opened);
  });
  after(async () => {
    await opened?.close();
    opened = undefined;
  });
  return late(() => opened as Opened);
}

/** Stands for an object that exists only when tests run. Each access goes to the object that `find` returns then. */
export function late<Held extends object>(find: () => Held): Held {
  return new Proxy({} as Held, {
    get(_, name) {
      const held = find();
      const value = Reflect.get(held, name);
      // Methods of a class need their own object as `this`.
      return typeof value === 'function' && !Object.hasOwn(held, name) ? value.bind(held) : value;
    },
    set: (_, name, value) => Reflect.set(find(), name, value),
    has: (_, name) => Reflect.has(find(), name),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor(_, name) {
      const found = Reflect.getOwnPropertyDescriptor(find(), name);
      return found && { ...found, configurable: true };
    },
  });
}

/** A folder for all tests of a file or a `describe`, deleted after them. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder at each call, within one that is deleted after all tests. */
export function useFolders(): () => string {
  const parent = useFolder();
  return () => mkdtempSync(join(parent, 'one-'));
}
