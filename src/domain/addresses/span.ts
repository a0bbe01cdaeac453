/** A stretch of a text: from its first code unit to before `end`. */
export interface Span {
  start: number;
  end: number;
}
