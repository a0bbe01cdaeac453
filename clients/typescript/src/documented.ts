import type { operations } from './openapi.ts';

type Operation = keyof operations;

/** The parameters of an operation as the document has them: several values are a list. */
export type DocumentedQuery<Of extends Operation> = NonNullable<operations[Of]['parameters']['query']>;

/** The same parameters, where a single value needs no list. */
export type QueryOf<Of extends Operation> = {
  [Name in keyof DocumentedQuery<Of>]: OneOrMany<DocumentedQuery<Of>[Name]>;
};

type OneOrMany<Value> = Value extends (infer One)[] ? One | One[] : Value;

/** The parameters under their documented type: a single value is sent like a list of one. */
export function asDocumented<Of extends Operation>(query: QueryOf<Of>): DocumentedQuery<Of> {
  return query as DocumentedQuery<Of>;
}
