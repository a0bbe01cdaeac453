import { askJson, faultOf, send } from './api.js';
import { html, readStored } from './dom.js';
import { keepKey, readKey, sessionKey, sessionName } from './key.js';
import { placeOf, show } from './page.js';
import { explain } from './views/fault.js';
import { Account } from './views/frame.js';

/** The field for the key, and the plan, in the head of every page. */

/** What the key gives, and whose plan that is. @type {import('./views/frame.js').KeyPlan | null} */
let account = null;
/** @type {string | null} */
let accountKey = null;
/** What is wrong with a key. */
let message = '';
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** @type {() => void} */
let onChange = () => {};

/** Calls back whenever the key of this tab changes. Resolves once the service has said what it gives. @param {() => void} changed */
export function watchAccount(changed) {
  onChange = changed;
  return known;
}

/** What the key of this tab gives, once the service has said so. @returns {any} */
export function readAccount() {
  return readKey() === accountKey ? account : null;
}

/** Drops a key that the service no longer accepts; another one that was entered meanwhile stays. @param {string} key */
export function dropKey(key) {
  if (readKey() === key) keepKey(null);
  draw();
  onChange();
}

/** Asks what the key of this tab gives, and asks again when the service says that it can answer later. */
export async function lookUpKey() {
  clearTimeout(retry);
  const key = readKey();
  draw();
  if (key === null) return;
  try {
    const found = await askJson('me', { key });
    if (readKey() === key) take(found, key);
  } catch (error) {
    const fault = faultOf(error);
    if (readKey() !== key) return;
    message = writeFault(fault);
    // A session that has ended is not a key any more.
    if (fault.status === 401) return dropKey(key);
    if (fault.retryAfter !== null) retry = setTimeout(() => lookUpKey().then(onChange), fault.retryAfter * 1000);
  }
  draw();
}

/** @param {import('./views/frame.js').KeyPlan} found @param {string} key */
function take(found, key) {
  [account, accountKey, message] = [found, key, ''];
  if (found.status === 'active') moveOldLists();
}

/** Where the pages of interface 1.1 kept lists: in the browser, without addresses. */
const oldListsName = 'masthead-lists';

async function moveOldLists() {
  if (readStored(oldListsName).lists === undefined) return;
  const { moveLists } = await import('./account-lists.js');
  await moveLists(oldListsName);
  onChange();
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const key = form.key.value.trim();
  if (key === '') return;
  try {
    const kept = form.stay.checked ? await signIn(key) : key;
    take(await askJson('me', { key: kept }), kept);
    keepKey(kept);
    form.reset();
    onChange();
  } catch (error) {
    message = writeFault(faultOf(error));
  }
  draw();
}

/** Gives this browser a session, whose cookie stands for the key in every tab. Returns what the tab keeps in its place. @param {string} key */
export async function signIn(key) {
  await send('session', { api_key: key }, { key: null, credentials: 'same-origin' });
  return sessionKey;
}

function forget() {
  // The browser forgets it all the same where the service does not answer.
  if (readKey() === sessionKey) askJson('session', { method: 'DELETE' }).catch(faultOf);
  keepKey(null);
  draw();
  onChange();
}

/** @param {import('./views/fault.js').Fault} fault */
function writeFault(fault) {
  const { title, advice } = explain(fault);
  return `${title}. ${advice}`;
}

function draw() {
  const props = { account: readAccount(), message, isSession: readKey() === sessionKey };
  show(() => html`<${Account} ...${props} onSubmit=${submit} onForget=${forget} />`, placeOf('#account'));
}

// Another tab signed in or out.
addEventListener('storage', async ({ key }) => {
  if (key !== sessionName) return;
  await lookUpKey();
  onChange();
});

const known = lookUpKey();
