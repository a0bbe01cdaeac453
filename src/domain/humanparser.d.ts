/** The parts of humanparser 2 that are used; the package has no types of its own. */
declare module 'humanparser' {
  interface NameParts {
    salutation?: string;
    firstName?: string;
    middleName?: string;
    lastName?: string;
    suffix?: string;
  }
  interface NameWords {
    extraCompound?: string[];
    extraSalutations?: string[];
    extraSuffixes?: string[];
    ignoreSuffix?: string[];
  }
  const humanparser: { parseName(name: string, words?: NameWords): NameParts };
  export = humanparser;
}
