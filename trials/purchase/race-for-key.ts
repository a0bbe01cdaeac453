import { buy, type OrderAnswer, orderOfKey, readOrder } from './buyer.ts';

/** What came of a race: how many readers got a key, and whether theirs works. */
export interface Race {
  answers: number;
  keys: number;
  works: boolean;
}

/** Buys a plan, then reads the order this many times at once, alternating between the APIs, which share their store. */
export async function raceForKey(apis: readonly string[], readers: number): Promise<Race> {
  const apiOf = (reader: number) => () => apis[reader % apis.length] ?? '';
  const purchase = await buy(apiOf(0));
  const answers: OrderAnswer[] = await Promise.all(
    Array.from({ length: readers }, (_, reader) => readOrder(apiOf(reader), purchase)),
  );
  const keys = answers.flatMap(({ api_key }) => api_key ?? []);
  const owners = await Promise.all(keys.map((key) => orderOfKey(apiOf(1), key)));
  return {
    answers: answers.filter(({ status }) => status === 'paid').length,
    keys: keys.length,
    works: owners.every((owner) => owner === purchase.orderId),
  };
}
