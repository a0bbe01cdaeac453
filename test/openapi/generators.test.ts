import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentForSnapshot } from './snapshot.ts';

interface Node {
  [key: string]: unknown;
}

const document: Node = JSON.parse(documentForSnapshot());

/** Every object of the document with its path, such as `/paths//api/v1/me/get`. */
function* nodesOf(value: unknown, path = ''): Generator<[path: string, node: Node]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Node];
  for (const [key, item] of Object.entries(value)) yield* nodesOf(item, `${path}/${key}`);
}

const nodes = [...nodesOf(document)].filter(([path]) => !/\/examples?\//.test(path));
const where = (isWrong: (node: Node, path: string) => boolean) =>
  nodes.filter(([path, node]) => isWrong(node, path)).map(([path]) => path);
const parameters = nodes.filter(([path, node]) => /\/parameters\/\d+$/.test(path) && node.in === 'query');

/** What trials/clients/ found out with generators that compile: each rule broke one of them. */
describe('generators of clients can read the document, because it', () => {
  it('has no unions: Go and Java make types of them that cannot be filled, and Python makes none', () => {
    expect(where((node) => 'anyOf' in node || 'oneOf' in node || 'allOf' in node)).toEqual([]);
  });

  it('has null among the words of every closed list that can be null', () => {
    const nullable = nodes.filter(([, { type, enum: words }]) => Array.isArray(type) && Array.isArray(words));
    expect(nullable.length).toBeGreaterThan(5);
    expect(nullable.filter(([, node]) => !(node.enum as unknown[]).includes(null))).toEqual([]);
    expect(nullable.filter(([, node]) => !(node.type as unknown[]).includes('null'))).toEqual([]);
  });

  it('has parameters of one type, lists as repeated values, and switches as booleans', () => {
    expect(parameters.length).toBeGreaterThan(80);
    for (const [path, { schema, style = 'form', explode = true }] of parameters) {
      const { type, items, enum: words } = Object(schema);
      expect([path, typeof type, style, explode]).toEqual([path, 'string', 'form', true]);
      if (type === 'array') expect([path, typeof items.type]).toEqual([path, 'string']);
      expect([path, words?.includes('true') ?? false]).toEqual([path, false]);
    }
  });

  it('names a key before no key, because programs take the first way to sign in', () => {
    const ways = nodes.flatMap(([path, { security }]) => (Array.isArray(security) ? [{ path, security }] : []));
    expect(ways.filter(({ security }) => security.length > 1).length).toBeGreaterThan(3);
    expect(ways.filter(({ security: [first] }) => first && Object.keys(first).length === 0)).toEqual([]);
  });

  it('requires no object that can be null: Python takes it for one that never is', () => {
    const isNullableObject = ({ type }: Node) =>
      Array.isArray(type) && type.includes('object') && type.includes('null');
    const wrong = where(({ required, properties }) =>
      [required ?? []].flat().some((name) => isNullableObject(Object(Object(properties)[String(name)]))),
    );
    expect(wrong).toEqual([]);
  });

  it('has a type in each answer that Python reads, or its settings turn into one', () => {
    const settings = readFileSync('clients/python/generator.yml', 'utf8');
    const isRead = (type: string) =>
      /^text\/|json$|octet-stream$/.test(type) || settings.includes(`${type}: text/plain`);
    const answers = nodes.filter(([path]) => /\/responses\/\d+\/content$/.test(path));
    expect(answers.length).toBeGreaterThan(30);
    expect(answers.filter(([, types]) => !Object.keys(types).some(isRead)).map(([path]) => path)).toEqual([]);
  });

  it('describes no webhooks: Python gets functions that it cannot read', () => {
    expect(document).not.toHaveProperty('webhooks');
  });

  it('has no schema that hides a type of a language', () => {
    const names = Object.keys(Object(document.components).schemas);
    const reserved = ['List', 'Map', 'Set', 'Object', 'String', 'Error', 'Date', 'File', 'Response', 'Request'];
    expect(names.filter((name) => reserved.includes(name))).toEqual([]);
  });

  it('says limits that numbers have, and none that a number in a program cannot pass', () => {
    expect(where(({ maximum }) => typeof maximum === 'number' && maximum >= Number.MAX_SAFE_INTEGER)).toEqual([]);
    for (const [path, { schema }] of parameters) {
      const { type, maximum } = Object(schema);
      if (type === 'integer') expect([path, typeof maximum]).toEqual([path, 'number']);
    }
  });
});
