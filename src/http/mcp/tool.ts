import type { Caller } from '#accounts/stored-key.ts';
import type { AppDeps } from '../app-deps.ts';

/** A JSON Schema of an object, as tools declare it. */
export interface ObjectSchema {
  type: 'object';
  [keyword: string]: unknown;
}

export type ToolDeps = Pick<AppDeps, 'index' | 'mergedIds' | 'lists' | 'now' | 'publicUrl' | 'log'>;

/** What models can call. */
export interface Tool {
  name: string;
  title: string;
  /** Tells a model when to use it. */
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  /** Throws a Problem for wrong arguments. */
  call(given: object, deps: ToolDeps, caller: Caller): Promise<ToolAnswer>;
}

/** The same twice: for programs, as the output schema says, and for models, in few words. */
export interface ToolAnswer {
  structured: Record<string, unknown>;
  text: string;
}
