/** A node of an OpenAPI document. */
interface Node {
  [key: string]: unknown;
}

/**
 * The document with narrower inputs. The service forgives what people and spreadsheets write: other cases, `a|b`. The
 * document says so, for programs that test it; in types, every such input would be any string. Narrowed, a closed list
 * keeps only its words, so that a compiler finds a misspelt one.
 */
export function narrowInputs(document: object): object {
  return walk(document, false) as object;
}

function walk(value: unknown, isInput: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, isInput));
  if (!isNode(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => {
    return [key, walk(item, isInput || key === 'parameters' || key === 'requestBody')] as const;
  });
  const node = Object.fromEntries(entries);
  return isInput ? narrow(node) : node;
}

function narrow(node: Node): Node {
  const { anyOf, enum: words, ...rest } = node;
  if (Array.isArray(words) && words.includes('true')) return { ...rest, type: 'boolean' };
  const forms = Array.isArray(anyOf) ? anyOf.filter(isNode) : [];
  const list = forms.find(({ type }) => type === 'array');
  const takesText = forms.some(({ type, enum: only }) => type === 'string' && only === undefined);
  if (!takesText) return node;
  // One value, or several, each of which can be excluded.
  if (list && isNode(list.items)) {
    const { items } = list;
    const either = Array.isArray(items.enum)
      ? { ...items, enum: items.enum.flatMap((word) => [word, `!${word}`]) }
      : items;
    return { ...rest, anyOf: [either, { type: 'array', items: either }] };
  }
  return { ...rest, ...forms.find((form) => Array.isArray(form.enum)) };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
