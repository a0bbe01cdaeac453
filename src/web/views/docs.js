import { html } from '../dom.js';
import steps from '../five-minutes.json' with { type: 'json' };
import guide from '../guide.json' with { type: 'json' };
import { CopyButton, headingCell, Prose, SmallTable } from './parts.js';

/**
 * The API, as the server describes it for this page. `alike`: inputs that an earlier operation describes in the same words.
 * @typedef {{ name: string, isRequired: boolean, description: string, allowed: string[] }} Input
 * @typedef {{ language: string, code: string }} Call
 * @typedef {{ id: string, method: string, path: string, summary: string, description: string, needsKey: boolean, inputs: Input[], alike: string[], calls: Call[], answer: string | null }} Operation
 * @typedef {{ serviceUrl: string, version: string, introduction: string, groups: { name: string, operations: Operation[] }[], record: Input[] }} DocsData
 */

/** A guide for people, one for programs, then every operation. docs.js searches what has the class `part`. @param {DocsData} props */
export function Docs({ serviceUrl, version, introduction, groups, record }) {
  return html`<h1>Docs</h1>
    <p class="lead">
      How to work with Masthead, and how programs do. For machines there is <a href="openapi.json">the OpenAPI document</a>, for people also
      the list of <a href="docs/errors">errors</a>.
    </p>
    <div class="docs">
      <nav class="contents" aria-label="Contents">
        <form class="needs-script" role="search" method="dialog">
          <label for="find-here" class="unseen">Search this page</label>
          <input id="find-here" type="search" placeholder="Search this page" autocomplete="off" />
          <p class="note" role="status"></p>
        </form>
        <p>Guide</p>
        <ul role="list">
          ${guide.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
        </ul>
        <p><a href="#five-minutes">API in five minutes</a></p>
        ${groups.map(
          ({ name, operations }) => html`<p>${name}</p>
            <ul role="list">
              ${operations.map(({ id, method, path }) => html`<li><a href="#${id}"><small>${method}</small> ${path.replace('/api/v1', '') || '/'}</a></li>`)}
            </ul>`,
        )}
        <p><a href="#record">A record</a></p>
      </nav>
      <div>
        ${guide.map((topic) => html`<${Topic} ...${topic} />`)}
        <${FiveMinutes} serviceUrl=${serviceUrl} />
        <section class="part">
          <h2 id="reference">API reference <small>${version}</small></h2>
          ${introduction.split('\n\n').map((paragraph) => html`<p><${Prose} text=${paragraph} /></p>`)}
          <${Clients} serviceUrl=${serviceUrl} />
        </section>
        ${groups.map(({ operations }) => operations.map((operation) => html`<${OperationPart} ...${operation} />`))}
        <section class="part">
          <h2 id="record">A record</h2>
          <${Inputs} label="A record" inputs=${record} />
        </section>
      </div>
    </div>`;
}

/** A topic of the guide. `marks`: what each mark at an address means. @param {{ id: string, heading: string, text: readonly string[], marks?: readonly string[][] }} props */
function Topic({ id, heading, text, marks = [] }) {
  return html`<section class="part">
    <h2 id=${id}>${heading}</h2>
    ${text.map((paragraph) => html`<p><${Prose} text=${paragraph} /></p>`)}
    ${marks.length === 0 ? null : html`<dl class="details">${marks.map(([mark, meaning]) => html`<div><dt>${mark}</dt><dd>${meaning}</dd></div>`)}</dl>`}
  </section>`;
}

/** @param {{ serviceUrl: string }} props */
function FiveMinutes({ serviceUrl }) {
  return html`<section class="part">
    <h2 id="five-minutes">The API in five minutes</h2>
    <p>Type these commands into a terminal. The first needs nothing else.</p>
    <ol>
      ${steps.map(({ heading, text, command: written }) => {
        const command = written.replaceAll('{api}', `${serviceUrl}/api/v1`);
        return html`<li>
          <h3>${heading}</h3>
          <p><${Prose} text=${text} /></p>
          <pre tabindex="0" aria-label=${heading}><code>${command}</code></pre>
          <${CopyButton} text=${command} label="Copy the commands: ${heading}" />
        </li>`;
      })}
    </ol>
  </section>`;
}

const languages = ['curl', 'TypeScript', 'Python'];

/** Chooses the language of all examples, without a script (pages.css), and says how each client begins. @param {{ serviceUrl: string }} props */
function Clients({ serviceUrl }) {
  const begin = [
    {
      language: 'TypeScript',
      code: `import { createMasthead } from 'masthead-client';\nimport { saveExport } from 'masthead-client/node';\n\nconst masthead = createMasthead({ baseUrl: '${serviceUrl}', apiKey: process.env.KEY ?? '' });`,
    },
    {
      language: 'Python',
      code: `import os\nfrom masthead import Masthead\n\nmasthead = Masthead("${serviceUrl}", os.environ["KEY"])`,
    },
  ];
  return html`<fieldset class="line languages">
      <legend>Examples in</legend>
      ${languages.map((language, at) => html`<label class="choice chip"><input type="radio" name="language" id="in-${language}" checked=${at === 0} /> ${language}</label>`)}
    </fieldset>
    <${Calls} calls=${begin} ofWhat="the client" />`;
}

/** @param {{ calls: readonly Call[], ofWhat: string }} props */
function Calls({ calls, ofWhat }) {
  return calls.map(
    ({ language, code }) => html`<div class="call in-${language}">
      <pre tabindex="0" aria-label="${ofWhat} in ${language}"><code>${code}</code></pre>
      <${CopyButton} text=${code} label="Copy ${ofWhat} in ${language}" />
    </div>`,
  );
}

/** @param {Operation} props */
function OperationPart({ id, method, path, summary, description, needsKey, inputs, alike, calls, answer }) {
  return html`<article class="card operation part" aria-labelledby=${id}>
    <h3 id=${id}>${summary}</h3>
    <p><code><strong>${method}</strong> ${path}</code> ${needsKey ? html`<small>Needs a key.</small>` : null}</p>
    <p><${Prose} text=${description} /></p>
    <${Calls} calls=${calls} ofWhat=${summary} />
    ${answer === null ? null : html`<p class="note">Answer</p><pre tabindex="0" aria-label="Answer of ${summary}"><code>${answer}</code></pre>`}
    ${inputs.length === 0 ? null : html`<${Inputs} label="What ${summary} takes" inputs=${inputs} />`}
    ${alike.length === 0 ? null : html`<p class="note">As above: ${alike.map((name) => html`<code>${name}</code> `)}</p>`}
  </article>`;
}

/** @param {{ label: string, inputs: readonly Input[] }} props */
function Inputs({ label, inputs }) {
  const rows = inputs.map(
    ({ name, isRequired, description, allowed }) => html`<tr>
      <th scope="row"><code>${name}</code></th>
      <td data-label="Meaning">
        ${isRequired ? html`<strong>Required.</strong> ` : null}<${Prose} text=${description} />
        ${allowed.length === 0 ? null : html` <small>${allowed.join(', ')}</small>`}
      </td>
    </tr>`,
  );
  return html`<${SmallTable} label=${label} headings=${['Name', 'Meaning'].map(headingCell)}>${rows}<//>`;
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
