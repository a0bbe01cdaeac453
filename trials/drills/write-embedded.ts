import { setTimeout as pause } from 'node:timers/promises';
import { openIndexer } from '../../indexer/open-indexer.ts';
import { Dice } from '../../src/sample/dice.ts';
import { madeRecord } from '../../test/support/made-record.ts';

/*
 * A process that imports and deletes at random in the embedded store of a data folder, in batches, until it is asked to
 * end. It touches records whose ids begin with `w` alone. Says how many it wrote.
 */

const [dataDir = '', seed = '1'] = process.argv.slice(2);
const dice = new Dice(Number(seed));
const ids = Array.from({ length: 400 }, (_, place) => `w${place}`);
const { records, close } = await openIndexer({ dataDir });
let isStopped = false;
process.once('SIGTERM', () => {
  isStopped = true;
});
let written = 0;
console.log('writing');
while (!isStopped) {
  const batch = Array.from({ length: 1 + dice.below(20) }, () => dice.pick(ids));
  if (dice.chance(0.3)) await records.remove(batch);
  else await records.merge(batch.map((id) => madeRecord({ id, name: `Written ${dice.below(1_000_000)}` })));
  written += batch.length;
  await pause(5);
}
console.log(written);
await close();
