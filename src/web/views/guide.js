import { html } from '../dom.js';
import { locale } from '../locale.js';
import { CopyButton, Prose } from './parts.js';

/** What a reader types at each step of the guide. @param {string} serviceUrl without a trailing slash */
const commandsOf = (serviceUrl) => ({
  search: `curl '${serviceUrl}/api/v1/search?q=tech+newsletters'`,
  narrow: `curl '${serviceUrl}/api/v1/search?kind=podcast&country=US|GB&has_email=1&per_page=5'
curl '${serviceUrl}/api/v1/facets?kind=podcast'`,
  key: `curl -H "Authorization: Bearer $KEY" '${serviceUrl}/api/v1/me'
curl -H "Authorization: Bearer $KEY" '${serviceUrl}/api/v1/search?q=radio&has_email=1'`,
  take: `curl -fOJ -H "Authorization: Bearer $KEY" '${serviceUrl}/api/v1/export?kind=outlet&country=US'`,
  errors: `curl '${serviceUrl}/api/v1/search?contry=us&kind=outlett'`,
});

/** From nothing to an export, in five minutes. @param {{ serviceUrl: string }} props */
export function Guide({ serviceUrl }) {
  const { guide } = locale.text;
  const commands = Object.entries(commandsOf(serviceUrl));
  return html`<ol class="steps">
    ${commands.map(([step, command]) => {
      const [heading = '', text = ''] = guide.steps[step] ?? [];
      return html`<li key=${step}>
        <h3>${heading}</h3>
        <p><${Prose} text=${text} /></p>
        <pre tabindex="0" aria-label=${heading}><code>${command}</code></pre>
        <${CopyButton} textOf=${() => command} label="${guide.copy}: ${heading}" />
      </li>`;
    })}
  </ol>`;
}
