import { inspect } from 'node:util';
import { quoteForShell } from '#text/printed.ts';

/** An operation of the OpenAPI document. `body`: an example of it; `isJson`: whether its answer is. */
export interface DescribedCall {
  id: string;
  tag: string;
  method: string;
  path: string;
  parameters: readonly { name: string; in: string }[];
  needsKey: boolean;
  body: unknown;
  isJson: boolean;
}

/** The same call in one language. */
export interface Call {
  language: 'curl' | 'TypeScript' | 'Python';
  code: string;
}

/** What examples ask for. */
const usual: Readonly<Record<string, string>> = { q: 'tech newsletters', claim_token: 'CLAIM_TOKEN' };

/** Files are saved by the clients themselves, which check that they are complete. */
const savesFile: Readonly<Record<string, readonly Call[]>> = {
  export: [
    { language: 'TypeScript', code: `await saveExport(masthead, 'outlets.csv', { q: '${usual.q}' });` },
    { language: 'Python', code: `masthead.save_export("outlets.csv", q="${usual.q}")` },
  ],
};

/** Calls of an operation with curl, and with the clients for TypeScript and Python if these have it. */
export function writeCalls(call: DescribedCall, serviceUrl: string): Call[] {
  const names = call.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.name in usual)
    .map(({ name }) => name);
  const query = Object.fromEntries(names.map((name) => [name, usual[name] ?? '']));
  const curl: Call = { language: 'curl', code: writeCurl(call, query, serviceUrl) };
  if (!call.isJson) return [curl, ...(savesFile[call.id] ?? [])];
  const typescript = writeTypeScript(call, query);
  return [curl, { language: 'TypeScript', code: typescript }, { language: 'Python', code: writePython(call, query) }];
}

type Query = Readonly<Record<string, string>>;

function writeCurl({ method, path, needsKey, body, isJson }: DescribedCall, query: Query, serviceUrl: string): string {
  const parameters = new URLSearchParams(query);
  const url = `${serviceUrl}${path.replace('{id}', 'ID')}${parameters.size === 0 ? '' : `?${parameters}`}`;
  const parts = [
    isJson ? 'curl' : 'curl -fOJ',
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined ? [] : [`--json ${quoteForShell(JSON.stringify(body))}`]),
    quoteForShell(url),
  ];
  return parts.join(' ');
}

function writeTypeScript({ method, path, body }: DescribedCall, query: Query): string {
  const params = {
    ...(path.includes('{id}') && { path: { id: 'ID' } }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const options = { ...(Object.keys(params).length > 0 && { params }), ...(body !== undefined && { body }) };
  const argument = Object.keys(options).length === 0 ? '' : `, ${inspect(options, { depth: null, breakLength: 100 })}`;
  return `const { data } = await masthead.api.${method}('${path}'${argument});`;
}

function writePython({ id, tag, path, body }: DescribedCall, query: Query): string {
  const bodyName = `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;
  const name = id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const callArguments = [
    ...(path.includes('{id}') ? ['"ID"'] : []),
    'client=masthead.api',
    ...Object.entries(query).map(([parameter, value]) => `${parameter}=${JSON.stringify(value)}`),
    ...(body === undefined ? [] : [`body=${bodyName}.from_dict(${writeDict(body)})`]),
  ];
  const model = body === undefined ? '' : `from masthead_client.models import ${bodyName}\n`;
  return `from masthead_client.api.${tag.toLowerCase()} import ${name}\n${model}\nanswer = ${name}.sync(${callArguments.join(', ')})`;
}

/** On one line if it fits. */
function writeDict(body: unknown): string {
  const json = JSON.stringify(body, null, 4);
  const line = json.replace(/\n */g, ' ');
  return line.length > 100 ? json : line;
}
