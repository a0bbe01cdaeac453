/** The inhabitants of a city by its name and place; null where no city is known by them. */
export function cityPopulation(_city: string, _region: string | null, _country: string | null): number | null {
  return null;
}
