import { askJson, faultOf } from './api.js';
import { html } from './dom.js';
import { readKey } from './key.js';
import { Push } from './views/push.js';

/** How many leads are shown before a push. */
const previewed = 5;

/**
 * The form that pushes what a search finds; null without a key. Another search is another push.
 * @param {URLSearchParams} query
 * @param {readonly { name: string, title: string }[]} tools
 */
export function viewPush(query, tools) {
  if (readKey() === null) return null;
  return html`<${Push}
    key=${String(query)}
    tools=${tools}
    look=${() => previewPush(query)}
    send=${(/** @type {any} */ order, /** @type {string} */ once) => sendPush(query, order, once)}
  />`;
}

/**
 * The records that a push of this search sends: those with an address that is not known to be invalid, as in exports for tools.
 * @param {URLSearchParams} query
 * @returns {Promise<import('./views/push.js').Preview | { fault: import('./views/fault.js').Fault }>}
 */
async function previewPush(query) {
  const parameters = new URLSearchParams(query);
  parameters.set('has_email', '1');
  if (!parameters.has('email_status')) parameters.set('email_status', '!invalid');
  parameters.set('per_page', String(previewed));
  parameters.set('fields', 'id,name,contact_name,email');
  try {
    return await askJson(`search?${parameters}`);
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/**
 * @param {URLSearchParams} query
 * @param {{ tool: string, campaign_id: string, api_key: string }} order
 * @param {string} once the Idempotency-Key
 * @returns {Promise<import('./views/push.js').Counts | { fault: import('./views/fault.js').Fault }>}
 */
async function sendPush(query, order, once) {
  try {
    return await askJson('export/push', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': once },
      body: JSON.stringify({ ...order, filters: Object.fromEntries(query) }),
    });
  } catch (error) {
    return { fault: faultOf(error) };
  }
}
