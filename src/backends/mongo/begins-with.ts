/** The condition that a text begins so, whatever characters that holds; an index on the text serves it. */
export function beginsWith(prefix: string): { $regex: string } {
  return { $regex: `^${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` };
}
