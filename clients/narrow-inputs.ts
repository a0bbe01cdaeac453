/** A node of an OpenAPI document. */
interface Node {
  [key: string]: unknown;
}

/**
 * The document with narrower inputs. The service forgives what people and spreadsheets write: other cases, white space,
 * `a|b`, numbers as texts. The document says so, for programs that test it; in types, every such input would be any
 * string. Narrowed, a closed list keeps only its words, so that a compiler finds a misspelt one.
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
  const { anyOf, type, items, pattern: _pattern, ...rest } = node;
  const types = [type].flat();
  if (types.includes('integer')) return { ...rest, type: 'integer' };
  if (types.includes('array') && isNode(items)) {
    // One value, or several; or a list that a body may leave out.
    if (types.includes('string')) return { ...rest, anyOf: [items, { type: 'array', items }] };
    return { ...rest, type, items };
  }
  const forms = Array.isArray(anyOf) ? anyOf.filter(isNode) : [];
  const words = forms.find((form) => Array.isArray(form.enum))?.enum as string[] | undefined;
  if (words === undefined) return node;
  if (words.includes('true')) return { ...rest, type: 'boolean' };
  // What accepts any text besides is a list of values that can be excluded.
  const isClosed = type === 'string';
  return { ...rest, type: 'string', enum: isClosed ? words : [...words, ...words.map((word) => `!${word}`)] };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}
