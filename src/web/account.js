import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { forgetKey, isUncopied, keepKey, noteCopied, readKey, sessionKey, sessionName } from './key.js';
import { placeOf, show } from './page.js';
import { Account } from './views/account.js';
import { explain } from './views/fault.js';

/** What the key gives; null without one. @type {import('./views/account.js').KeyPlan | null} */
let account = null;
/** Whose plan that is. @type {string | null} */
let accountKey = null;
/** Why it is not known. @type {import('./views/fault.js').Fault | null} */
let fault = null;
let message = '';
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** Whether the page asks before it forgets a new key that was not copied. */
let isAsking = false;
/** @type {() => void} */
let onChange = () => {};
/** @type {() => void} */
let onFailure = () => {};

/**
 * Shows the field for the key, and the plan, in the page's head. Calls back whenever the key changes, and whenever the service
 * failed again to say what it gives.
 * @param {() => void} changed
 * @param {() => void} [failed]
 */
export async function startAccount(changed, failed = () => {}) {
  onChange = changed;
  onFailure = failed;
  draw();
  if (readKey() !== null) await look();
}

// Another tab signed in or out.
addEventListener('storage', async ({ key }) => {
  if (key !== sessionName) return;
  await look();
  draw();
  onChange();
});

/** What the key of this tab gives, once the service has said so. @returns {any} */
export function readAccount() {
  return readKey() === accountKey ? account : null;
}

/** Why the service did not say what the key of this tab gives. */
export function readAccountFault() {
  return readKey() === null ? null : fault;
}

/** Drops a key that the service no longer accepts; another one that was entered meanwhile stays. @param {string} key */
export function dropKey(key) {
  forgetKey(key);
  if (readKey() === null) [account, accountKey, fault] = [null, null, null];
  draw();
  onChange();
}

/** Asks what the key of this tab gives, and asks again when the service says that it can answer later. */
async function look() {
  clearTimeout(retry);
  const key = readKey();
  if (key === null) return;
  try {
    const found = await askJson('me', { key });
    if (readKey() !== key) return;
    take(found, key);
  } catch (error) {
    const found = faultOf(error);
    if (readKey() !== key) return;
    say(found);
    // A session that has ended is no key at all.
    if (found.status === 401) return dropKey(key);
    fault = found;
    if (found.retryAfter !== null) retry = setTimeout(retryAccount, found.retryAfter * 1000);
  }
  draw();
}

/** Asks again after a failure. */
export async function retryAccount() {
  const hadFailed = fault !== null;
  await look();
  if (fault !== null) onFailure();
  else if (hadFailed) onChange();
}

/** @param {import('./views/account.js').KeyPlan | null} found @param {string | null} key */
function take(found, key) {
  account = found;
  accountKey = key;
  fault = null;
  message = '';
  if (found?.status === 'active' && hasOldLists()) moveOld();
}

/** Whether this browser kept lists before accounts had them. */
function hasOldLists() {
  try {
    return localStorage.getItem('masthead-lists') !== null;
  } catch {
    return false;
  }
}

async function moveOld() {
  const { moveLists } = await import('./move-lists.js');
  await moveLists();
  onChange();
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const key = String(new FormData(form).get('key') ?? '').trim();
  if (key === '') return;
  try {
    const kept = form.stay.checked ? await signIn(key) : key;
    take(await askJson('me', { key: kept }), kept);
    keepKey(kept);
    form.reset();
    onChange();
  } catch (error) {
    say(faultOf(error));
  }
  draw();
}

/**
 * Gives this browser a session, whose cookie stands for the key in every tab. Returns what the tab keeps in its place.
 * @param {string} key
 */
export async function signIn(key) {
  await askJson('session', {
    method: 'POST',
    key: null,
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: key }),
  });
  return sessionKey;
}

/** Nobody can get back a new key that was not copied: that is asked about. */
function forget() {
  isAsking = isUncopied();
  if (isAsking) draw();
  else forgetSurely();
}

function forgetSurely() {
  isAsking = false;
  // The browser forgets it all the same where the service does not answer.
  if (readKey() === sessionKey) askJson('session', { method: 'DELETE' }).catch(faultOf);
  noteCopied();
  keepKey(null);
  take(null, null);
  draw();
  onChange();
}

/** @param {import('./views/fault.js').Fault} found */
function say(found) {
  const { title, advice } = explain(found);
  message = `${title}. ${advice}`;
}

function keepAfterAll() {
  isAsking = false;
  draw();
}

function draw() {
  const hasKey = readKey() !== null;
  const isSession = readKey() === sessionKey;
  const on = { onSubmit: submit, onForget: forget, onForgetSurely: forgetSurely, onKeep: keepAfterAll };
  show(
    () =>
      html`<${Account} account=${readAccount()} message=${message} hasKey=${hasKey} isSession=${isSession} isAsking=${isAsking} ...${on} />`,
    placeOf('#account'),
  );
}
