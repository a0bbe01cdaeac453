import type { KeyedKind } from '#records/keyed-store.ts';
import { Problem } from '#src/problem.ts';

/** What a further key may do. `search` reads records and saved searches; `export` is for exports and changes. */
export const scopes = ['search', 'export', 'push', 'lists'] as const;
export type Scope = (typeof scopes)[number];

/**
 * A key that the holder of an account's own key made for a program: the account's plan and limits, but only these scopes
 * (contract A20). It ends with the account, and survives a rotation of the own key. Times are ISO 8601, UTC.
 */
export interface FurtherKey {
  /** The HMAC of its secret under KEY_PEPPER, hex. */
  hash: string;
  id: string;
  account: string;
  name: string;
  scopes: readonly Scope[];
  prefix: string;
  createdAt: string;
}

export const maxFurtherKeys = 50;

export const furtherKeyKind: KeyedKind<FurtherKey> = {
  name: 'further_keys',
  ownerOf: ({ account }) => account,
  orderOf: ({ createdAt }) => createdAt,
  isOfCaller: true,
};

/** What an operation asks of a key. `any`: nothing; `own key`: the key that was bought or issued. */
export type Needed = Scope | 'any' | 'own key';

/** Throws Problem `scope_required` if the key is a further one that may not do this. */
export function requireScope(further: Pick<FurtherKey, 'scopes'> | undefined, needed: Needed): void {
  if (further === undefined || needed === 'any') return;
  if (needed === 'own key') {
    throw new Problem(
      'scope_required',
      'Only the key that you bought or were issued may do this, and no key made with it.',
    );
  }
  if (further.scopes.includes(needed)) return;
  throw new Problem(
    'scope_required',
    `This key does not have the scope ${needed}, only ${further.scopes.join(', ')}. Use a key that has it.`,
    { headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${needed}"` } },
  );
}
