import { dropKey, readAccount, readAccountFault, retryAccount, signIn, startAccount } from './account.js';
import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { isUncopied, keepKey, noteCopied, noteShown, readKey, sessionKey } from './key.js';
import { placeOf, show } from './page.js';
import { YourKey } from './views/your-key.js';

const place = placeOf('#page');
/** @type {import('./views/usage.js').UsageDay[] | null} */
let days = null;
/** The new key, while the tab has the key that it was shown with. @type {import('./views/your-key.js').NewKey | null} */
let rotated = null;
/** @type {string | null} */
let shownWith = null;
/** Why the use is not known. @type {import('./views/fault.js').Fault | null} */
let usageFault = null;
/** Why the key was not replaced. @type {import('./views/fault.js').Fault | null} */
let fault = null;
/** The key that may have ended while nobody got the one that replaced it. @type {import('./views/your-key.js').KeyDetails | null} */
let lost = null;
/** The browsers that are signed in. @type {readonly import('./views/your-key.js').Session[]} */
let sessions = [];
let isBusy = false;

/** The key was entered, forgotten or replaced. */
async function look() {
  const key = readKey();
  days = null;
  sessions = [];
  usageFault = null;
  if (key !== shownWith) endRotation(key);
  draw();
  if (key === null) return;
  try {
    const [usage, signedIn] = await Promise.all([askJson('me/usage', { key }), askJson('me/sessions', { key })]);
    if (readKey() === key) [days, sessions] = [usage.days, signedIn.sessions];
  } catch (error) {
    // The head of the page says what is wrong with a key.
    const found = faultOf(error);
    if (found.code !== 'key_invalid') usageFault = found;
  }
  draw();
}

/**
 * A key that somebody forgot is not shown any longer. Beside the plan of another one it is only until it was copied.
 * @param {string | null} key what the tab has now
 */
function endRotation(key) {
  if (rotated !== null && key !== null && isUncopied()) {
    rotated = { ...rotated, isUsed: key === rotated.api_key };
    return;
  }
  if (rotated !== null) noteCopied();
  rotated = null;
}

/**
 * Replaces the key of the tab. Should the answer be lost, the old key goes on as long as was chosen, and can be sent again.
 * With no time at all, only the operator can help.
 * @param {SubmitEvent} event
 */
async function rotate(event) {
  event.preventDefault();
  const key = readKey();
  if (key === null || isBusy) return;
  const hours = Number(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('overlap'));
  const account = readAccount();
  isBusy = true;
  fault = null;
  draw();
  try {
    const answer = await askJson('me/key/rotate', {
      method: 'POST',
      key,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ overlap_hours: hours }),
    });
    // Another key may have been entered meanwhile, or this one forgotten.
    const isUsed = readKey() === key;
    // The session ended with the secret that it was started with.
    if (isUsed) keepKey(key === sessionKey ? await signIn(answer.api_key) : answer.api_key);
    rotated = { ...answer, isUsed };
    shownWith = readKey();
    lost = null;
    noteShown(answer.api_key);
    isBusy = false;
    draw();
    // With the key, not after what is looked up next: somebody may have moved on by then.
    /** @type {HTMLElement | null} */ (place.querySelector('#key-heading'))?.focus();
    await startAccount(look, draw);
    await look();
  } catch (error) {
    fault = faultOf(error);
    isBusy = false;
    if (hours === 0 && (fault.code === 'unreachable' || fault.status >= 500)) lost = account;
    if (fault.code === 'key_invalid') dropKey(key);
    draw();
  }
}

/** Signs another browser out. @param {string} id */
async function endSession(id) {
  try {
    await askJson(`me/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
  } catch (error) {
    // One that has ended already is gone all the same.
    fault = faultOf(error).status === 404 ? null : faultOf(error);
  }
  await look();
}

/** Asks again what could not be looked up. */
async function retry() {
  if (readAccountFault() === null) return look();
  await retryAccount();
  draw();
}

function draw() {
  const account = readAccount();
  const hasKey = readKey() !== null;
  const accountFault = readAccountFault();
  const props = { account, hasKey, accountFault, usageFault, fault, lost, days, sessions, rotated, isBusy };
  const on = { onRetry: retry, onRotate: rotate, onCopy: noteCopied, onEnd: endSession };
  show(() => html`<${YourKey} ...${props} ...${on} />`, place);
}

// What the server says to those without JavaScript.
place.replaceChildren();
draw();
startAccount(look, draw).then(draw);
if (readKey() !== null) look();
