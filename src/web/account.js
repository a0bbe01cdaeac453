import { html, render } from 'lit-html';
import { askJson, explain } from './api.js';
import { formatDate, sentence } from './format.js';
import { keepKey, readKey } from './key.js';

/**
 * What the key of this tab gives; null without one.
 * @typedef {{ plan: string, status: 'active' | 'expired', expires_at: string }} Account
 */

/** @type {Account | null} */
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

async function look() {
  try {
    account = await askJson('me');
    message = '';
  } catch (error) {
    const { code, title, advice } = explain(error);
    if (code === 'key_invalid') {
      keepKey(null);
      account = null;
      onChange();
    }
    message = `${title}. ${advice}`;
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
    const { title, advice } = explain(error);
    message = `${title}. ${advice}`;
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

function draw() {
  const place = document.querySelector('#account');
  if (place instanceof HTMLElement) render(view(), place);
}

function view() {
  if (account !== null && readKey() !== null) {
    const { plan, status, expires_at } = account;
    return html`<p class="plan ${status}" role="status">
        ${
          status === 'active'
            ? html`<strong>${sentence(plan)}</strong> until ${formatDate(expires_at)}`
            : html`<strong>${sentence(plan)}</strong> ended on ${formatDate(expires_at)}.
                <a href="plans">Buy again</a>`
        }
      </p>
      <button type="button" class="quiet" @click=${forget}>Forget key</button>`;
  }
  return html`<details class="key" ?open=${message !== ''}>
    <summary>I have a key</summary>
    <form @submit=${submit}>
      <label for="key">Your key</label>
      <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="key-note" />
      <button>Use key</button>
      <p id="key-note" class="note">It stays in this tab and is forgotten when you close it.</p>
      <p class="wrong" role="alert">${message}</p>
    </form>
  </details>`;
}
