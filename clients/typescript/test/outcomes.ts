/** All that an iteration gives. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      throw new Error(`the call must fail, and gives ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
