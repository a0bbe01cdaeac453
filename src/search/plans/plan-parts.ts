import { hostAndParents, hostLabel } from '#text/hosts.ts';
import { allOf, type Condition, hostCondition, pageCondition, phrase, type Scope } from '../conditions/conditions.ts';
import { maxEdits } from '../conditions/typo-tolerance.ts';
import { fuzzyWord, orGuessed, strictWord } from '../conditions/word-conditions.ts';
import type { Understanding } from '../search-query.ts';
import { isGuessable } from '../words/concepts.ts';
import { isRecognized, type Part } from '../words/parts.ts';

/** Looks for the parts, phrases and hosts of a text. In `radio berlin weathercock`, `radio` and `berlin` are recognized. */
export class PartsPlan {
  /** Whether there is nothing to look for but the name. */
  readonly isEmpty: boolean;
  readonly text: Understanding;
  readonly typos: 0 | 1 | 2;
  readonly parts: readonly Part[];
  readonly recognized: readonly Part[];
  /** Words that stand for nothing. */
  readonly words: readonly Part[];
  /** The part that ends the text, and so may be unfinished; null if parts were left out behind it. */
  readonly last: Part | null;
  readonly required: readonly Condition[];
  /** Whether something is recognized and is not all of the text, which may be a name, as `berlin` may: only a kind is none. */
  readonly isDescribed: boolean;

  /** @param typos how many a word may have: with 0, it is looked for as it was typed */
  constructor(text: Understanding, typos: 0 | 1 | 2, parts = text.parts) {
    this.text = text;
    this.typos = typos;
    this.parts = parts;
    this.recognized = parts.filter(isRecognized);
    this.words = parts.filter((part) => !isRecognized(part));
    const last = parts.at(-1);
    this.last = last !== undefined && last.words.at(-1) === text.typedWords.at(-1) ? last : null;
    this.required = [
      ...text.phrases.map((run) => phrase(run, 'anywhere')),
      ...text.hosts.map((host) => (typos === 0 ? hostCondition([host]) : nearHost(host))),
      ...text.pages.map((page) => pageCondition(page)),
    ];
    this.isEmpty = this.required.length + parts.length === 0;
    const isOnlyPart = text.parts.length + text.excluded.length === 1;
    this.isDescribed = this.recognized.length > 0 && (!isOnlyPart || isKindAlone(text));
  }

  /** Every part, anywhere in a record, or guessed of it. */
  get match(): Condition {
    return allOf([...this.required, ...this.conditionsOrGuesses(this.parts)]);
  }

  /** The same without guesses. */
  get asSaid(): Condition {
    return allOf([...this.required, ...this.conditionsOf(this.parts, 'anywhere')]);
  }

  /** Whether an index guesses a part of records that do not say it. */
  get mayBeGuessed(): boolean {
    return this.recognized.some(({ concepts }) => concepts.some(isGuessable));
  }

  /** Every word in names; empty without words. */
  get inNames(): Condition[] {
    return this.words.length === 0 ? [] : [allOf(this.conditionsOf(this.words, 'names'))];
  }

  /** For each part, what a record says of it in a scope. Without `mayGoOn`, the last word is whole. */
  conditionsOf(parts: readonly Part[], scope: Scope, mayGoOn = true): Condition[] {
    return parts.map((part) => {
      const isLast = mayGoOn && part === this.last;
      if (this.typos === 0) return strictWord(part, isLast, scope);
      return fuzzyWord(part, isLast, scope, this.typos, this.text);
    });
  }

  /** For each part, what a record says of it anywhere, or what an index guesses. */
  conditionsOrGuesses(parts: readonly Part[]): Condition[] {
    return parts.flatMap((part) => {
      const said = this.conditionsOf([part], 'anywhere');
      // Where other parts may be missing, what an unfinished word may begin is not guessed as well.
      return this.typos === 2 && !isRecognized(part) ? said : said.map((condition) => orGuessed(part, condition));
    });
  }
}

/** Whether a text is one kind of media, `radio`: it asks for those that are best known, not for names that begin with the word. */
export function isKindAlone({ parts, excluded, typedWords }: Understanding): boolean {
  const [part] = parts;
  // `diario para` may be a name, though "para" is a small word.
  if (part === undefined || part.words.length < typedWords.length || excluded.length > 0) return false;
  return part.concepts.length > 0 && part.concepts.every((conceptName) => /^(?:kind|type)\./.test(conceptName));
}

function nearHost(host: string): Condition {
  return { is: 'host', hosts: [host, ...hostAndParents(host)], edits: maxEdits(hostLabel(host)) };
}
