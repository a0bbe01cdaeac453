import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitName } from '#outbound/people.ts';
import { processorTime } from '../text/hostile-text.ts';

const cases: ReadonlyArray<readonly [name: string, first: string, last: string]> = [
  ['Jane Doe', 'Jane', 'Doe'],
  ['J. R. R. Tolkien', 'J. R. R.', 'Tolkien'],
  ['Jean-Luc Picard', 'Jean-Luc', 'Picard'],
  ["Conan O'Brien", 'Conan', "O'Brien"],
  // Particles belong to the last name.
  ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ['Ulla von der Leyen', 'Ulla', 'von der Leyen'],
  ['Juan de la Cruz', 'Juan', 'de la Cruz'],
  ['Maria-Luísa dos Santos', 'Maria-Luísa', 'dos Santos'],
  ['anna maria della valle', 'anna maria', 'della valle'],
  ['Ahmed bin Said', 'Ahmed', 'bin Said'],
  ['Van Morrison', 'Van', 'Morrison'],
  // Generations stay, degrees and titles go.
  ['Martin Luther King, Jr.', 'Martin Luther', 'King Jr.'],
  ['Sammy Davis III', 'Sammy', 'Davis III'],
  ['McDonald, Ronald, Jr.', 'Ronald', 'McDonald Jr.'],
  ['Prof. Dr. Hans Müller', 'Hans', 'Müller'],
  ['Jane Doe, MBA, PhD', 'Jane', 'Doe'],
  ['Yo-Yo Ma', 'Yo-Yo', 'Ma'],
  ['Kennedy, John F.', 'John F.', 'Kennedy'],
  // One word.
  ['Madonna', 'Madonna', ''],
  ['Dr. Smith', '', 'Smith'],
  // Nicknames and remarks.
  ['Dwayne "The Rock" Johnson', 'Dwayne', 'Johnson'],
  ['John Smith (Editor)', 'John', 'Smith'],
  ['Ann Lee, Bob Jones and Cy Roe', 'Ann', 'Lee'],
  // Several people, and nobody.
  ['Jane Smith and Bob Jones', 'Jane', 'Smith'],
  ['Jane Smith; Bob Jones', 'Jane', 'Smith'],
  ['Robert Press', 'Robert', 'Press'],
  ['—', '', ''],
  ['', '', ''],
  // Other scripts.
  ['Иван Петров', 'Иван', 'Петров'],
  ['राहुल शर्मा', 'राहुल', 'शर्मा'],
  ['محمد عبد الله', 'محمد', 'عبد الله'],
  ['عبد الله محمد', 'عبد الله', 'محمد'],
  ['王小明', '王小明', ''],
  ['山田 太郎', '太郎', '山田'],
  ['김 민준', '민준', '김'],
  ['ジョン・スミス', 'ジョン', 'スミス'],
];

describe('splitting a person’s name into first and last', () => {
  it.each(cases)('%j', (name, first, last) => {
    expect(splitName(name)).toEqual({ first, last });
  });

  it('adds nothing that was not in the name, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const { first, last } = splitName(name);
        const letters = new Set(name);
        expect([...first, ...last].every((letter) => letters.has(letter) || letter === ' ')).toBe(true);
        expect(first).toBe(first.trim());
        expect(last).toBe(last.trim());
      }),
    );
  });

  it('takes time linear in the length of the name, whatever it contains', () => {
    for (const unit of [' ', ',', ' and ', '(', '"', 'Dr. ', ', PhD', 'van ', '- ']) {
      expect(processorTime(() => splitName(unit.repeat(2_000)))).toBeLessThan(1_000);
    }
  });
});
