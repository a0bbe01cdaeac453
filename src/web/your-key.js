import { dropKey, readAccount, startAccount } from './account.js';
import { askJson, faultOf } from './api.js';
import { html } from './html.js';
import { keepKey, readKey } from './key.js';
import { placeOf, show } from './page.js';
import { noteCopied, noteShown } from './shown-key.js';
import { YourKey } from './views/your-key.js';

const place = placeOf('#page');
/** @type {import('./views/usage.js').UsageDay[] | null} */
let days = null;
/** @type {import('./views/your-key.js').NewKey | null} */
let rotated = null;
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;
let isBusy = false;

/** The key was entered, forgotten or replaced. */
async function look() {
  const key = readKey();
  days = null;
  fault = null;
  draw();
  if (key === null) return;
  try {
    const usage = await askJson('me/usage', { key });
    if (readKey() === key) days = usage.days;
  } catch (error) {
    // The head of the page says what is wrong with a key.
    const found = faultOf(error);
    if (found.code !== 'key_invalid') fault = found;
  }
  draw();
}

/** Replaces the key of the tab. Should the answer be lost, the old key goes on, and can be sent again. @param {SubmitEvent} event */
async function rotate(event) {
  event.preventDefault();
  const key = readKey();
  if (key === null || isBusy) return;
  const hours = Number(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('overlap'));
  isBusy = true;
  fault = null;
  draw();
  try {
    rotated = await askJson('me/key/rotate', {
      method: 'POST',
      key,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ overlap_hours: hours }),
    });
    keepKey(rotated?.api_key ?? key);
    noteShown();
    isBusy = false;
    await startAccount(look);
    await look();
    /** @type {HTMLElement | null} */ (place.querySelector('#key-heading'))?.focus();
  } catch (error) {
    const found = faultOf(error);
    isBusy = false;
    if (found.code === 'key_invalid') dropKey(key);
    fault = found;
    draw();
  }
}

function draw() {
  const props = { account: readAccount(), hasKey: readKey() !== null, days, rotated, fault, isBusy };
  show(() => html`<${YourKey} ...${props} onRotate=${rotate} onCopy=${noteCopied} />`, place);
}

// What the server says to those without JavaScript.
place.replaceChildren();
draw();
startAccount(look).then(draw);
if (readKey() !== null) look();
