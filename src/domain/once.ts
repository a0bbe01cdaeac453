/** The function, evaluated at the first call and memoized. */
export function once<Answer>(work: () => Answer): () => Answer {
  let known: { answer: Answer } | null = null;
  return () => {
    known ??= { answer: work() };
    return known.answer;
  };
}
