/** The same port with some methods replaced. All others are passed on, even those that the port gets later. */
export function withMethods<Port extends object>(port: Port, methods: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const method: unknown = methods[name as keyof Port] ?? target[name as keyof Port];
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}
