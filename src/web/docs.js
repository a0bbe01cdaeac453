import { startAccount } from './account.js';
import { html } from './dom.js';
import { data, show } from './page.js';
import { Guide } from './views/guide.js';

// The reference does nothing. The guide copies its commands.
const guide = /** @type {HTMLElement | null} */ (document.querySelector('#guide'));
if (guide !== null) show(() => html`<${Guide} serviceUrl=${data.serviceUrl} />`, guide);
startAccount(() => {});
