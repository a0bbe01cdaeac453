/** The function, worked out at the first call and remembered. */
export function once<Answer>(work: () => Answer): () => Answer {
  let known: { answer: Answer } | null = null;
  return () => {
    known ??= { answer: work() };
    return known.answer;
  };
}
