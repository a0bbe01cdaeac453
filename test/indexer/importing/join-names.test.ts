import { expect, it } from 'vitest';
import { joinNames } from '../../../indexer/importing/join-names.ts';

it.each<[first: string, last: string, names: string | string[] | null]>([
  ['Michael', 'Kitces and Ben Miller', ['Michael Kitces', 'Ben Miller']],
  ['John and Mary', 'Smith', ['John Smith', 'Mary Smith']],
  ['John & Mary', 'Smith & Jones', ['John Smith', 'Mary Jones']],
  ['Jane Doe and Max', 'Moe', ['Jane Doe', 'Max Moe']],
  ['Anna, Bert', 'Low', ['Anna Low', 'Bert Low']],
  ['Anna/Bert', 'Low/High', ['Anna Low', 'Bert High']],
  ['Ana', 'Pérez y Luis Gómez', ['Ana Pérez', 'Luis Gómez']],
  ['José', 'Ortega y Gasset', 'José Ortega y Gasset'],
  ['Jane', 'Doe, PhD', 'Jane Doe, PhD'],
  ['Ann', 'Low/High', 'Ann Low/High'],
  ['Ann', '', 'Ann'],
  ['', 'Kitces and Ben Miller', 'Kitces and Ben Miller'],
  ['Ann', 'Low and High', null],
  ['Ann; Bob; Cem', 'Low; High', null],
])('of %s and %s are of one person, of several, or of nobody who can be told: %j', (first, last, names) => {
  expect(joinNames(first, last)).toEqual(names);
});
