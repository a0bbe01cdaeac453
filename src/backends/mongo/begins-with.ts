/** The condition that a text starts with this prefix, whatever characters it has; an index on the text supports it. */
export function beginsWith(prefix: string): { $regex: string } {
  return { $regex: `^${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` };
}
