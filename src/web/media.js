import { readAccount, watchAccount } from './account.js';
import { followLists } from './account-lists.js';
import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { readKey } from './key.js';
import { data, placeOf, show } from './page.js';
import { createSelection } from './rows.js';
import { Media } from './views/media.js';

/** The record as the key of the tab shows it. Without a key, as the server showed it. @type {any} */
let record = data.record;
/** The search or list that somebody came from keeps its words, filters and page. */
const fromUrl = document.referrer.replace(location.href.replace(/media\/.*/, ''), '');
const cameFrom = fromUrl === '' ? null : /^(lists)?(?:\?|$)/.exec(fromUrl);
const back = cameFrom === null ? undefined : { url: document.referrer, isList: cameFrom[1] !== undefined };
/** The people that are chosen, to keep them. */
const selection = createSelection(draw);
/** The lists of the account, and what they have. */
const accountLists = followLists(draw);
/** Whether this module has taken over the page, which the server made for a visitor without a key. */
let isTaken = false;

function draw() {
  const ofModule = isTaken && {
    hasKey: readKey() !== null,
    account: readAccount(),
    back,
    selection,
    ...accountLists.current(),
  };
  show(() => html`<${Media} data=${{ ...data, record }} ...${ofModule} />`, placeOf('#page'));
}

/** Reads the record again with the key of the tab. Without a key, shows the masked address again. */
async function look() {
  const key = readKey();
  record = data.record;
  if (key !== null && record !== null) {
    try {
      const fullRecord = await askJson(`records/${encodeURIComponent(record.id)}`, { key });
      // The key may have been forgotten meanwhile.
      if (readKey() === key) record = fullRecord;
    } catch (error) {
      // The address stays masked, and the head of the page says what is wrong with the key.
      faultOf(error);
    }
  }
  if (readKey() === key) draw();
}

draw();
isTaken = true;
if (readKey() !== null) look();
watchAccount(() => {
  accountLists.look();
  return look();
}).then(draw);
accountLists.look();
