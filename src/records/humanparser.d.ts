/** The parts of humanparser 2 that are used; the package has no types of its own. */
declare module 'humanparser' {
  type NameParts = Partial<Record<'firstName' | 'middleName' | 'lastName' | 'suffix', string>>;
  type NameWords = Partial<Record<'extraCompound' | 'extraSuffixes' | 'ignoreSuffix', string[]>>;
  const humanparser: { parseName(name: string, words?: NameWords): NameParts };
  export = humanparser;
}
