import { dropKey, lookUpKey, readAccount, signIn, signInByCode, watchAccount } from './account.js';
import { askJson, faultOf, send } from './api.js';
import { html } from './dom.js';
import { keepClaimToken, keepKey, noteUncopied, readKey, sessionKey } from './key.js';
import { data, placeOf, show } from './page.js';
import { YourKey } from './views/your-key.js';

const place = placeOf('#page');
/** @type {import('./views/your-key.js').UsageDay[] | null} */
let days = null;
/** The browsers that are signed in. @type {readonly import('./views/your-key.js').Session[]} */
let sessions = [];
/** The orders of the key, the newest first. @type {readonly import('./views/order-line.js').Order[]} */
let orders = [];
/** The keys of the account for programs. @type {readonly import('./views/your-key.js').ProgramKey[]} */
let keys = [];
/** The last one that was made here, as long as the page is open. @type {import('./views/your-key.js').MadeKey | null} */
let madeKey = null;
/** The key that replaced the tab's, as long as the page is open. @type {import('./views/your-key.js').NewKey | null} */
let rotated = null;
/** What signs in another device, as long as the page is open. @type {import('./views/sign-in.js').SignInCode | null} */
let code = null;
/** The code of the link in a mail that led here, until it is used. @type {string | null} */
let mailed = null;
/** Whether a link was asked for by mail. */
let isAsked = false;
/** What went wrong last. @type {import('./views/fault.js').Fault | null} */
let fault = null;
let isBusy = false;

/** Reads the use and the sessions of the key of this tab. */
async function look() {
  const key = readKey();
  [days, sessions, keys, orders, fault] = [null, [], [], [], null];
  draw();
  if (key === null) return;
  try {
    // A key that was made for a program reads only its use.
    const paths = readAccount()?.scopes ? ['me/usage'] : ['me/usage', 'me/sessions', 'me/keys', 'me/orders'];
    const [usage, signedIn, forPrograms, bought] = await Promise.all(paths.map((path) => askJson(path, { key })));
    if (readKey() !== key) return;
    [days, sessions, keys] = [usage.days, signedIn?.sessions ?? [], forPrograms?.keys ?? []];
    orders = bought?.orders ?? [];
  } catch (error) {
    const lookFault = faultOf(error);
    // The head of the page says what is wrong with a key.
    if (lookFault.code !== 'key_invalid') fault = lookFault;
  }
  draw();
}

const noScope = 'Tick at least one thing that the key may do.';

/** @param {SubmitEvent} event */
async function makeKey(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const fields = new FormData(form);
  const scopes = fields.getAll('scopes');
  if (scopes.length === 0) {
    fault = { status: 0, code: '', title: 'No key was made', detail: noScope, errors: [], retryAfter: null };
    scrollTo(0, 0);
    return draw();
  }
  await change(async () => {
    madeKey = /** @type {import('./views/your-key.js').MadeKey} */ (
      await send('me/keys', { name: fields.get('name'), scopes })
    );
    noteUncopied(true);
    form.reset();
  });
  if (madeKey !== null && fault === null) showKey();
}

/** A new key stands at the top, and the form that asked for it may be below the window. */
function showKey() {
  /** @type {HTMLElement | null} */ (place.querySelector('#key-heading'))?.focus();
}

/** @param {string} id */
function deleteKey(id) {
  return change(async () => {
    await askJson(`me/keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
    if (madeKey?.id === id) {
      madeKey = null;
      noteUncopied(false);
    }
  });
}

/** Does something to the account, and shows it as it then is. @param {() => Promise<void>} work */
async function change(work) {
  if (isBusy) return;
  isBusy = true;
  try {
    await work();
    await look();
  } catch (error) {
    fault = faultOf(error);
    scrollTo(0, 0);
  }
  isBusy = false;
  draw();
}

/**
 * Should the answer be lost, the old key can be sent again while it lasts; with no time, only the operator can help.
 * @param {SubmitEvent} event
 */
async function rotate(event) {
  event.preventDefault();
  const key = readKey();
  if (key === null || isBusy) return;
  const isLeaked = /** @type {HTMLFormElement} */ (event.target).leaked.checked;
  isBusy = true;
  draw();
  try {
    rotated = /** @type {import('./views/your-key.js').NewKey} */ (
      await send('me/key/rotate', { overlap_hours: isLeaked ? 0 : 24 }, { key })
    );
    noteUncopied(true);
    // The session ended with the secret that it was started with.
    if (readKey() === key) keepKey(key === sessionKey ? await signIn(rotated.api_key) : rotated.api_key);
    draw();
    // With the key, not after what is looked up next: somebody may have moved on by then.
    showKey();
    isBusy = false;
    await lookUpKey();
    await look();
  } catch (error) {
    fault = faultOf(error);
    isBusy = false;
    if (fault.code === 'key_invalid') dropKey(key);
    draw();
  }
}

function makeCode() {
  const key = readKey();
  const credentials = /** @type {const} */ ('same-origin');
  return change(async () => {
    code = /** @type {import('./views/sign-in.js').SignInCode} */ (
      await askJson('session/code', { method: 'POST', key, credentials })
    );
  });
}

/** Signs this browser in by the code that another device shows. @param {SubmitEvent} event */
function redeem(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  return signInOrClaim(form.code.value);
}

/** Uses a code, which may end on the page that shows the key of an order. @param {string} text */
function signInOrClaim(text) {
  return change(async () => {
    const order = await signInByCode(text);
    mailed = null;
    if (order === undefined) return lookUpKey();
    keepClaimToken(order.order_id, order.claim_token);
    location.assign(`claim?order_id=${order.order_id}`);
  });
}

/** Takes the code of a mailed link out of the URL, so that no history has it. Only a press of the button uses it. */
function takeMailed() {
  mailed = new URLSearchParams(location.hash.slice(1)).get('code') ?? mailed;
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
}

/** @param {SubmitEvent} event */
function askForMail(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  return change(async () => {
    await send('session/mail', { email: form.email.value.trim() }, { key: null });
    isAsked = true;
  });
}

/** Signs another browser out. @param {string} id */
async function endSession(id) {
  // One that has ended already is gone all the same.
  await askJson(`me/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }).catch(faultOf);
  await look();
}

function draw() {
  const props = {
    account: readAccount(),
    hasKey: readKey() !== null,
    fault,
    days,
    sessions,
    keys,
    orders,
    made: madeKey,
    code,
    isMailed: mailed !== null,
    isAsked,
    sendsMail: data.sendsMail,
    rotated,
    isBusy,
  };
  const on = {
    onRetry: look,
    onRotate: rotate,
    onEnd: endSession,
    onMake: makeKey,
    onDelete: deleteKey,
    onCode: makeCode,
    onRedeem: redeem,
    onAsk: askForMail,
    onOpen: () => mailed && signInOrClaim(mailed),
  };
  show(() => html`<${YourKey} ...${props} ...${on} />`, place);
}

// What the server says to those without JavaScript.
place.replaceChildren();
takeMailed();
addEventListener('hashchange', () => {
  takeMailed();
  draw();
});
draw();
watchAccount(look).then(look);
