/**
 * Memoizes a function's latest results: columns repeat their words. Keeps at most `limit`, and none for a text of more
 * than 100 code units.
 */
export function memoize<Answer>(find: (text: string) => Answer, limit = 5_000): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined || answers.has(text)) return known as Answer;
    const answer = find(text);
    if (text.length <= 100) {
      if (answers.size >= limit) answers.clear();
      answers.set(text, answer);
    }
    return answer;
  };
}
