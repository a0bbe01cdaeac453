import { dropKey, readAccount, watchAccount } from './account.js';
import { faultOf, send } from './api.js';
import { html, randomText } from './dom.js';
import { forgetClaimToken, keepClaimToken, readKey } from './key.js';
import { data, placeOf, show } from './page.js';
import { Buying, verbFor } from './views/buying.js';

let isBusy = false;
/** @type {import('./views/fault.js').Fault | null} */
let fault = null;
/** The Idempotency-Key of each purchase, so that a second click or a lost answer creates no second order. @type {Map<string, string>} */
const attempts = new Map();

const notStored =
  'This browser’s storage for this page is full or blocked. Make room or allow it, then try again: it keeps what your key is claimed with.';

/** Sends the key only if the page says that the purchase changes it. @param {SubmitEvent} event @param {string} tier */
async function buy(event, tier) {
  event.preventDefault();
  if (isBusy) return;
  const email = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('email') ?? '').trim();
  const key = verbFor(data.plans, readAccount(), tier) === 'Buy' ? null : readKey();
  const purchase = `${key} ${tier} ${email}`;
  const attempt = attempts.get(purchase) ?? randomText();
  attempts.set(purchase, attempt);
  // Tries whether the browser can store a claim token. Without one, the buyer could not claim the key that was paid for.
  if (!keepClaimToken(attempt, attempt)) {
    fault = { status: 0, code: '', title: 'Nothing was ordered', detail: notStored, errors: [], retryAfter: null };
    return draw();
  }
  forgetClaimToken(attempt);
  isBusy = true;
  fault = null;
  draw();
  try {
    const headers = { 'Idempotency-Key': attempt };
    const order = await send('checkout', email === '' ? { tier } : { tier, email }, { key, headers });
    keepClaimToken(order.order_id, order.claim_token);
    location.assign(order.checkout_url);
  } catch (error) {
    fault = faultOf(error);
    isBusy = false;
    // The key was revoked or replaced meanwhile. The next attempt buys a new one.
    if (fault.code === 'key_invalid' && key !== null) dropKey(key);
    draw();
  }
}

function draw() {
  const props = { plans: data.plans, sendsMail: data.sendsMail, account: readAccount(), fault, isBusy, onBuy: buy };
  show(() => html`<${Buying} ...${props} />`, placeOf('#buying'));
}

draw();
watchAccount(draw).then(draw);
