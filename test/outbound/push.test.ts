import { expect, it } from 'vitest';
import { addBatch, newPushId, noCounts, type Push } from '#outbound/push.ts';

it('adds up counters only by their own names, not by inherited properties', () => {
  const push = { id: newPushId(), counts: noCounts, details: {} } as Push;
  const counts = { added: 2, duplicates: 0, invalid: 0, blocked: 0, skipped: 0, failed: 0 };
  const details = JSON.parse('{"constructor":7,"toString":3,"hasOwnProperty":1,"__proto__":5,"added_count":2}');
  const once = { ...push, ...addBatch(push, 2, { counts, details }) };
  expect(once.details).toEqual(details);
  const twice = addBatch(once, 2, { counts, details });
  expect(JSON.stringify(Object.entries(twice.details).toSorted())).toBe(
    '[["__proto__",10],["added_count",4],["constructor",14],["hasOwnProperty",2],["toString",6]]',
  );
  expect(twice.counts).toMatchObject({ sent: 4, added: 4 });
});
