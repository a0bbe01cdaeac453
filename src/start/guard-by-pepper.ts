import pRetry from 'p-retry';
import { Problem } from '#domain/problem.ts';
import type { Backends } from './open-backends.ts';

/** What is usable only under the right pepper. */
type Guarded = Pick<Backends, 'keys' | 'orders' | 'reservations'>;

const pauses = { retries: Number.POSITIVE_INFINITY, minTimeout: 500, maxTimeout: 1_000, unref: true };

/**
 * The keys and orders, once it is certain that the pepper is theirs. Where the store of the production backend is away, it
 * is looked for in the background, and until then every method fails with Problem `store_unavailable`.
 *
 * @param confirm fails with Problem `store_unavailable` while the store is away, otherwise where the pepper is wrong
 * @param onRefused takes that fault where it comes late
 */
export async function guardByPepper(
  { kind, ...guarded }: Pick<Backends, 'kind'> & Guarded,
  confirm: () => Promise<void>,
  { signal, onRefused }: { signal: AbortSignal; onRefused: (fault: unknown) => void },
): Promise<Guarded> {
  try {
    await confirm();
    return guarded;
  } catch (error) {
    if (kind === 'embedded' || !isAway(error)) throw error;
  }
  let isConfirmed = false;
  pRetry(confirm, { ...pauses, signal, shouldRetry: ({ error }) => isAway(error) }).then(
    () => {
      isConfirmed = true;
    },
    (fault) => {
      if (!signal.aborted) onRefused(fault);
    },
  );
  const isOpen = () => isConfirmed;
  return {
    keys: closedUntil(isOpen, guarded.keys),
    orders: closedUntil(isOpen, guarded.orders),
    reservations: closedUntil(isOpen, guarded.reservations),
  };
}

/** The store, with every method waiting for the condition. */
function closedUntil<Store extends object>(isOpen: () => boolean, store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]) => {
        if (!isOpen()) throw notConfirmed();
        return method.apply(target, args);
      };
    },
  });
}

function notConfirmed(): Problem {
  const headers = { 'Retry-After': '5' };
  return new Problem('store_unavailable', 'The store is not available right now. Try again.', { headers });
}

function isAway(error: unknown): boolean {
  return error instanceof Problem && error.code === 'store_unavailable';
}
