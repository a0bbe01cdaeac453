import { askJson, faultOf, send } from './api.js';
import { html } from './dom.js';
import { keepKey, listOrders, readKey, sessionKey, sessionName } from './key.js';
import { placeOf, show } from './page.js';
import { explain } from './views/fault.js';
import { Account } from './views/frame.js';

/** The head of every page: the field for the key, or the plan of the key. */

/** What the service says of the key `accountKey`. @type {import('./views/frame.js').KeyPlan | null} */
let account = null;
/** @type {string | null} */
let accountKey = null;
/** What is wrong with the key, for the user. */
let message = '';
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** @type {() => void} */
let onChange = () => {};

/** Calls back whenever the key of this tab changes. Resolves when the service has answered about the key. @param {() => void} changed */
export function watchAccount(changed) {
  onChange = changed;
  return keyLookup;
}

/** What the service says of the key of this tab; null until it has answered. @returns {any} */
export function readAccount() {
  return readKey() === accountKey ? account : null;
}

/** Drops a key that the service no longer accepts, unless another one was entered meanwhile. @param {string} key */
export function dropKey(key) {
  if (readKey() === key) keepKey(null);
  draw();
  onChange();
}

/** Asks the service about the key of this tab. If the service is busy, asks again when it says. */
export async function lookUpKey() {
  clearTimeout(retry);
  const key = readKey();
  draw();
  if (key === null) return;
  try {
    const foundAccount = await askJson('me', { key });
    if (readKey() === key) take(foundAccount, key);
  } catch (error) {
    const fault = faultOf(error);
    if (readKey() !== key) return;
    message = writeFault(fault);
    // The key was revoked, or the session has ended.
    if (fault.status === 401) return dropKey(key);
    if (fault.retryAfter !== null) retry = setTimeout(() => lookUpKey().then(onChange), fault.retryAfter * 1000);
  }
  draw();
}

/** @param {import('./views/frame.js').KeyPlan} newAccount @param {string} key */
function take(newAccount, key) {
  [account, accountKey, message] = [newAccount, key, ''];
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const key = form.key.value.trim();
  if (key === '') return;
  try {
    const keptKey = form.stay.checked ? await signIn(key) : key;
    take(await askJson('me', { key: keptKey }), keptKey);
    keepKey(keptKey);
    form.reset();
    onChange();
  } catch (error) {
    message = writeFault(faultOf(error));
  }
  draw();
}

/** Signs this browser in: a cookie then stands for the key in every tab. Returns what the tab keeps instead of the key. @param {string} key */
export async function signIn(key) {
  await send('session', { api_key: key }, { key: null, credentials: 'same-origin' });
  return sessionKey;
}

/**
 * The same, by a code that another device shows or a mail has. Returns the order that it claims instead, if its key was not given out.
 * @param {string} code @returns {Promise<{ order_id: string, claim_token: string } | undefined>}
 */
export async function signInByCode(code) {
  const { session, order } = await send('session/redeem', { code }, { key: null, credentials: 'same-origin' });
  if (session) keepKey(sessionKey);
  return order;
}

function forget() {
  // Even if the service does not answer, the browser forgets the key.
  if (readKey() === sessionKey) askJson('session', { method: 'DELETE' }).catch(faultOf);
  keepKey(null);
  draw();
  onChange();
}

/** @param {import('./views/fault.js').Fault} fault */
function writeFault(fault) {
  const { title, advice, wait } = explain(fault);
  return `${title}. ${advice} ${wait}`;
}

function draw() {
  const props = { account: readAccount(), message };
  show(() => html`<${Account} ...${props} onSubmit=${submit} onForget=${forget} />`, placeOf('#account'));
}

// Another tab signed in or out.
addEventListener('storage', async ({ key }) => {
  if (key !== sessionName) return;
  await lookUpKey();
  onChange();
});

const keyLookup = lookUpKey();

// The page of claims says itself what can be claimed.
if (listOrders().length > 0 && !location.pathname.endsWith('/claim')) {
  void import('./orders.js').then(({ announceWaiting }) => announceWaiting());
}
