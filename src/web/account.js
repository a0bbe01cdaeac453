import { askJson, faultOf } from './api.js';
import { html } from './html.js';
import { forgetKey, keepKey, readKey } from './key.js';
import { locale, placeOf, show } from './page.js';
import { Account } from './views/account.js';
import { explain } from './views/fault.js';

/** What the key of this tab gives; null without one. @type {import('./views/account.js').KeyPlan | null} */
let account = null;
let message = '';
/** @type {() => void} */
let onChange = () => {};

/**
 * Shows the field for the key, and the plan, in the page's head. Calls back whenever the key changes.
 * @param {() => void} changed
 */
export async function startAccount(changed) {
  onChange = changed;
  draw();
  if (readKey() !== null) await look();
}

/** What the key of this tab gives, once the service has said so. */
export function readAccount() {
  return readKey() === null ? null : account;
}

/** Drops a key that the service no longer accepts; another one that was entered meanwhile stays. @param {string} key */
export function dropKey(key) {
  forgetKey(key);
  if (readKey() === null) account = null;
  draw();
  onChange();
}

async function look() {
  const key = readKey();
  if (key === null) return;
  try {
    const found = await askJson('me', { key });
    if (readKey() !== key) return;
    account = found;
    message = '';
  } catch (error) {
    const fault = faultOf(error);
    if (readKey() !== key) return;
    say(fault);
    if (fault.code === 'key_invalid') dropKey(key);
  }
  draw();
}

/** @param {SubmitEvent} event */
async function submit(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const key = String(new FormData(form).get('key') ?? '').trim();
  if (key === '') return;
  try {
    account = await askJson('me', { key });
    keepKey(key);
    message = '';
    form.reset();
    form.closest('details')?.removeAttribute('open');
    onChange();
  } catch (error) {
    say(faultOf(error));
  }
  draw();
}

function forget() {
  keepKey(null);
  account = null;
  message = '';
  draw();
  onChange();
}

/** @param {import('./views/fault.js').Fault} fault */
function say(fault) {
  const { title, advice } = explain(fault, locale.text);
  message = `${title}. ${advice}`;
}

function draw() {
  const hasKey = readKey() !== null;
  show(
    () =>
      html`<${Account} account=${account} message=${message} hasKey=${hasKey} onSubmit=${submit} onForget=${forget} />`,
    placeOf('#account'),
  );
}
