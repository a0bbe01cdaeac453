import { createList, lookUp, writeRecords } from './account-lists.js';
import { faultOf } from './api.js';
import { store } from './dom.js';

/** Where the pages of interface 1.1 kept lists: in the browser, without addresses. */
const oldListsName = 'masthead-lists';

/**
 * Moves the lists that this browser kept into the account, one after the other, with their notes. What the account cannot take,
 * such as when its plan has ended, stays for the next time.
 */
export async function moveLists() {
  try {
    const { lists } = JSON.parse(localStorage.getItem(oldListsName) ?? '{"lists":{}}');
    for (const [name, kept] of Object.entries(/** @type {Record<string, { id: string, note: string }[]>} */ (lists))) {
      const records = await lookUp({ ids: kept.map(({ id }) => id) });
      const add = kept.flatMap(({ note }, at) => (records[at] ? [{ id: records[at].id, note }] : []));
      if (add.length > 0) await writeRecords((await createList(name.slice(0, 80))).id, { add });
      delete lists[name];
      store(oldListsName, { lists });
    }
    localStorage.removeItem(oldListsName);
  } catch (error) {
    // Something else wrote it.
    if (error instanceof SyntaxError) localStorage.removeItem(oldListsName);
    else faultOf(error);
  }
}
