import { html } from '../dom.js';
import { locale } from '../locale.js';
import { Guide } from './guide.js';
import { Prose } from './parts.js';

/**
 * What the API offers, as the server outlines it.
 * @typedef {{ name: string, place: string | null, isRequired: boolean, type: string, allowed: string[], description: string }} Field
 * @typedef {{ status: string, description: string, shape: string | null, example: string | null }} Answer
 * @typedef {{ id: string, method: string, path: string, tag: string, summary: string, description: string, access: 'open' | 'key' | 'key or none', parameters: Field[], body: { fields: Field[], example: string | null } | null, answers: Answer[] }} Operation
 * @typedef {{ version: string, introduction: string, tags: { name: string, description: string }[], operations: Operation[], shapes: { name: string, fields: Field[] }[] }} Outline
 */

/** A guide, then the reference. Made on the server only; its module takes over the guide. @param {{ serviceUrl: string, outline: Outline }} props */
export function Docs({ serviceUrl, outline }) {
  const { text } = locale;
  const { docs: words, guide } = text;
  const { version, introduction, tags, operations, shapes } = outline;
  return html`<h1>${words.heading}</h1>
    <p class="lead">${words.lead} <a href="docs/errors">${words.errors}</a>, <a href="openapi.json">${words.openApi}</a>.</p>
    <div class="docs">
      <nav class="contents" aria-label=${words.contents}>
        <p><a href="#five-minutes">${guide.heading}</a></p>
        ${tags.map(
          ({ name }) => html`<p>${name}</p>
            <ul role="list">
              ${operations.filter(({ tag }) => tag === name).map(({ id, method, path }) => html`<li><a href="#${id}"><small>${method}</small> ${path.replace('/api/v1', '') || '/'}</a></li>`)}
            </ul>`,
        )}
        <p><a href="#shapes">${words.shapes}</a></p>
      </nav>
      <div>
        <section aria-labelledby="five-minutes">
          <h2 id="five-minutes">${guide.heading}</h2>
          <p>${guide.lead}</p>
          <div id="guide"><${Guide} serviceUrl=${serviceUrl} /></div>
          <p><${Prose} text=${guide.programs} /></p>
        </section>
        <section aria-labelledby="reference">
          <h2 id="reference">Reference <small>${version}</small></h2>
          ${introduction.split('\n\n').map((paragraph) => html`<p><${Prose} text=${paragraph} /></p>`)}
          ${tags.map(
            ({ name, description }) => html`<h2 id="tag-${name.toLowerCase()}">${name}</h2>
              <p class="note">${description}</p>
              ${operations.filter(({ tag }) => tag === name).map((operation) => html`<${OperationPart} operation=${operation} />`)}`,
          )}
          <h2 id="shapes">Shapes</h2>
          ${shapes.map(({ name, fields }) => html`<details id="shape-${name}"><summary>${name}</summary><${FieldTable} label=${name} fields=${fields} /></details>`)}
        </section>
      </div>
    </div>`;
}

/** Who may call an operation. */
const accesses = {
  open: 'No key needed.',
  key: 'Needs a key.',
  'key or none': 'A key is optional.',
};

/** @param {{ operation: Operation }} props */
function OperationPart({ operation }) {
  const { id, method, path, summary, description, access, parameters, body, answers } = operation;
  return html`<article class="card operation" aria-labelledby=${id}>
    <h3 id=${id}>${summary}</h3>
    <p><code class="call"><strong>${method}</strong> ${path}</code> <small>${accesses[access]}</small></p>
    <p><${Prose} text=${description} /></p>
    ${parameters.length === 0 ? null : html`<details open=${parameters.length < 6}><summary>Parameters</summary><${FieldTable} label="Parameters of ${summary}" fields=${parameters} /></details>`}
    ${
      body === null
        ? null
        : html`<details open><summary>Body</summary>
            <${FieldTable} label="Body of ${summary}" fields=${body.fields} /><${Example} text=${body.example} label="Example of a body" />
          </details>`
    }
    <details>
      <summary>Answers</summary>
      ${answers.map((answer) => html`<${AnswerPart} answer=${answer} />`)}
    </details>
  </article>`;
}

/** @param {{ answer: Answer }} props */
function AnswerPart({ answer: { status, description, shape, example } }) {
  return html`<p>
      <strong>${status}</strong> <${Prose} text=${description} />
      ${shape === null ? null : html` <a href="#shape-${shape}">${shape}</a>`}
    </p>
    ${status === '200' ? html`<${Example} text=${example} label="Example of an answer" />` : null}`;
}

/** @param {{ text: string | null, label: string }} props */
function Example({ text, label }) {
  return text === null ? null : html`<pre tabindex="0" aria-label=${label}><code>${text}</code></pre>`;
}

/** @param {{ label: string, fields: readonly Field[] }} props */
function FieldTable({ label, fields }) {
  if (fields.length === 0) return null;
  return html`<div class="table wraps" role="region" aria-label=${label} tabindex="0">
    <table>
      <thead>
        <tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr>
      </thead>
      <tbody>
        ${fields.map(
          ({ name, place, isRequired, type, allowed, description }) => html`<tr>
            <th scope="row"><code>${name}</code></th>
            <td data-label="Type">${type}${isRequired && place !== null ? ', required' : null}${place === 'header' || place === 'path' ? html` <small>(${place})</small>` : null}</td>
            <td data-label="Meaning">
              <${Prose} text=${description} />
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
  const { docs: words } = locale.text;
  return html`<h1>${words.errors}</h1>
    <p class="lead"><${Prose} text=${words.errorsLead} /></p>
    <div class="errors">
      ${codes.map(
        ({ code, status, title, doc }) => html`<h2 id=${code}>${status} ${title} <code>${code}</code></h2>
          <p><${Prose} text=${doc} /></p>`,
      )}
    </div>`;
}
