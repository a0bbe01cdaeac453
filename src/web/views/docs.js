import { html } from '../dom.js';
import guide from '../five-minutes.json' with { type: 'json' };
import { CopyButton, Prose } from './parts.js';

/**
 * The API, as the server describes it for this page. `alike`: inputs that an earlier operation describes in the same words.
 * @typedef {{ name: string, isRequired: boolean, description: string, allowed: string[] }} Input
 * @typedef {{ id: string, method: string, path: string, summary: string, description: string, needsKey: boolean, inputs: Input[], alike: string[], body: string | null, answer: string | null }} Operation
 * @typedef {{ serviceUrl: string, version: string, introduction: string, groups: { name: string, operations: Operation[] }[], record: Input[] }} DocsData
 */

/** A guide, then every operation. @param {DocsData} props */
export function Docs({ serviceUrl, version, introduction, groups, record }) {
  const steps = guide.map(({ command, ...step }) => ({
    ...step,
    command: command.replaceAll('{api}', `${serviceUrl}/api/v1`),
  }));
  return html`<h1>API</h1>
    <p class="lead">
      Search, count and export by program. For machines there is <a href="openapi.json">the OpenAPI document</a>, for people also the list
      of <a href="docs/errors">errors</a>.
    </p>
    <div class="docs">
      <nav class="contents" aria-label="Contents">
        <p><a href="#five-minutes">Five minutes</a></p>
        ${groups.map(
          ({ name, operations }) => html`<p>${name}</p>
            <ul role="list">
              ${operations.map(({ id, method, path }) => html`<li><a href="#${id}"><small>${method}</small> ${path.replace('/api/v1', '') || '/'}</a></li>`)}
            </ul>`,
        )}
        <p><a href="#record">A record</a></p>
      </nav>
      <div>
        <h2 id="five-minutes">Five minutes</h2>
        <p>Type these commands into a terminal. The first needs nothing else.</p>
        <ol>
          ${steps.map(
            ({ heading, text, command }) => html`<li>
              <h3>${heading}</h3>
              <p><${Prose} text=${text} /></p>
              <pre tabindex="0" aria-label=${heading}><code>${command}</code></pre>
              <${CopyButton} text=${command} label="Copy the commands: ${heading}" />
            </li>`,
          )}
        </ol>
        <h2 id="reference">Reference <small>${version}</small></h2>
        ${introduction.split('\n\n').map((paragraph) => html`<p><${Prose} text=${paragraph} /></p>`)}
        ${groups.map(({ operations }) => operations.map((operation) => html`<${OperationPart} ...${operation} />`))}
        <h2 id="record">A record</h2>
        <${Inputs} label="A record" inputs=${record} />
      </div>
    </div>`;
}

/** @param {Operation} props */
function OperationPart({ id, method, path, summary, description, needsKey, inputs, alike, body, answer }) {
  return html`<article class="card operation" aria-labelledby=${id}>
    <h3 id=${id}>${summary}</h3>
    <p><code><strong>${method}</strong> ${path}</code> ${needsKey ? html`<small>Needs a key.</small>` : null}</p>
    <p><${Prose} text=${description} /></p>
    ${inputs.length === 0 ? null : html`<${Inputs} label="What ${summary} takes" inputs=${inputs} />`}
    ${alike.length === 0 ? null : html`<p class="note">As above: ${alike.map((name) => html`<code>${name}</code> `)}</p>`}
    ${body === null ? null : html`<${Example} name="Body" ofWhat=${summary} text=${body} />`}
    ${answer === null ? null : html`<${Example} name="Answer" ofWhat=${summary} text=${answer} />`}
  </article>`;
}

/** @param {{ name: string, ofWhat: string, text: string }} props */
function Example({ name, ofWhat, text }) {
  return html`<details><summary>${name}</summary><pre tabindex="0" aria-label="${name} of ${ofWhat}"><code>${text}</code></pre></details>`;
}

/** @param {{ label: string, inputs: readonly Input[] }} props */
function Inputs({ label, inputs }) {
  return html`<div class="table wraps" role="region" aria-label=${label} tabindex="0">
    <table>
      <thead><tr><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead>
      <tbody>
        ${inputs.map(
          ({ name, isRequired, description, allowed }) => html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td data-label="Meaning">
              ${isRequired ? html`<strong>Required.</strong> ` : null}<${Prose} text=${description} />
              ${allowed.length === 0 ? null : html` <small>${allowed.join(', ')}</small>`}
            </td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Every code of an error. @param {{ codes: readonly { code: string, status: number, title: string, doc: string }[] }} props */
export function Errors({ codes }) {
  return html`<h1>Errors</h1>
    <p class="lead">
      Every error has the type <code>application/problem+json</code> (RFC 9457). Its <code>code</code> is stable and one of these.
    </p>
    <div class="errors">
      ${codes.map(
        ({ code, status, title, doc }) => html`<h2 id=${code}>${status} ${title} <code>${code}</code></h2>
          <p><${Prose} text=${doc} /></p>`,
      )}
    </div>`;
}
