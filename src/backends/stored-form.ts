/** An object as both stores keep it: its properties in snake case. */
export function toSnakeCase(value: object): Record<string, unknown> {
  return renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** The object that was stored in snake case. */
export function fromSnakeCase<Value>(stored: object): Value {
  return renamed(stored, (name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) as Value;
}

function renamed(value: object, rename: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [rename(name), property]));
}
