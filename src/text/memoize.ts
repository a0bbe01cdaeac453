const maxKept = 5_000;
/** The longest text whose result is kept, in UTF-16 code units. */
const maxKeptLength = 100;

/** Memoizes a function's latest results for short texts, such as the words of a column, which repeat. */
export function memoize<Answer>(find: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const rememberedAnswer = answers.get(text);
    if (rememberedAnswer !== undefined || answers.has(text)) return rememberedAnswer as Answer;
    const answer = find(text);
    if (text.length <= maxKeptLength) {
      if (answers.size >= maxKept) answers.clear();
      answers.set(text, answer);
    }
    return answer;
  };
}

/** Memoizes a function of an object for as long as the object is in use. */
export function perObject<Key extends object, Answer extends object | string>(
  find: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new WeakMap<Key, Answer>();
  return (key) => {
    const rememberedAnswer = answers.get(key);
    if (rememberedAnswer !== undefined) return rememberedAnswer;
    const answer = find(key);
    answers.set(key, answer);
    return answer;
  };
}

/** Memoizes a function of an object for as long as the function is in use. */
export function keptWithin<Key extends object, Answer extends object>(
  find: (key: Key) => Answer,
): (key: Key) => Answer {
  const answers = new Map<Key, Answer>();
  return (key) => cached(answers, key, find);
}

/** The value of a key in a cache. If there is none, makes it and keeps it there. */
export function cached<Key, Value extends object | number | boolean>(
  cache: { get(key: Key): Value | undefined; set(key: Key, value: NoInfer<Value>): unknown },
  key: NoInfer<Key>,
  make: (key: Key) => Value,
): Value {
  const cachedValue = cache.get(key);
  if (cachedValue !== undefined) return cachedValue;
  const value = make(key);
  cache.set(key, value);
  return value;
}

/** Limits an LRUCache to so many entries; its own `max` allocates room for all at once, which takes milliseconds. */
export function atMost(entries: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entries, sizeCalculation: () => 1 };
}

/** The function, evaluated at the first call and memoized. */
export function once<Answer>(work: () => Answer): () => Answer {
  let result: { answer: Answer } | null = null;
  return () => {
    result ??= { answer: work() };
    return result.answer;
  };
}
