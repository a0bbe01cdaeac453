import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exportParameters } from '#http/api/export.ts';
import { facetParameters } from '#http/api/facets.ts';
import { searchParameters } from '#http/api/search.ts';
import { parameterPattern } from '#http/parse/patterns.ts';
import { type ParameterSet, readParameters } from '#http/parse/read-parameters.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { Problem } from '#src/problem.ts';
import { blanks, signs } from '#test/http/white-space.ts';
import { documentForSnapshot } from './snapshot.ts';

/** A JSON Schema, as far as the test looks into it. */
interface Schema {
  type?: string | string[];
  pattern?: string;
  anyOf?: { enum?: string[] }[];
}

/** A value with blanks, with what looks like blanks, in other spellings, twice, and broken. */
function spellings(value: string): string[] {
  return [
    ...[...blanks, ...signs].flatMap((sign) => [sign, `${sign}${value}`, `${value}${sign}`, `${sign}${value}${sign}`]),
    ...[
      '',
      value,
      value.toUpperCase(),
      `0${value}`,
      `-${value}`,
      `+${value}`,
      `${value}.0`,
      `${value}|`,
      `${value} ${value}`,
    ],
    ...['-', '0', '00', '007', '100', '0100', '101', '1e2', '\u0661', '\uff11', 'null', `${value}\u0301`, `${value}x`],
  ];
}

/** A text of a parameter is valid as itself, or as the number that it spells. */
function isDescribed(schema: Schema, text: string): boolean {
  const described = z.fromJSONSchema(schema as JsonSchema);
  return [text, ...(/^[0-9]+$/.test(text) ? [Number(text)] : [])].some((read) => described.safeParse(read).success);
}
type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

function isAccepted(name: string, text: string, set: ParameterSet<unknown>): boolean {
  try {
    readParameters(`/?${new URLSearchParams({ [name]: text })}`, set);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

describe('a parameter with a closed list, or a number', () => {
  it.each<[string, ParameterSet<unknown>]>([
    ['/api/v1/search', searchParameters],
    ['/api/v1/facets', facetParameters],
    ['/api/v1/export', exportParameters(listFormats(leadTools))],
  ])('is accepted by %s in exactly the spellings that are described', (path, set) => {
    const { parameters } = JSON.parse(documentForSnapshot()).paths[path].get;
    const closed = (parameters as { name: string; schema: Schema }[]).filter(
      ({ schema }) => 'anyOf' in schema || 'pattern' in schema,
    );
    const outcomes = { accepted: 0, refused: 0 };
    for (const { name, schema } of closed) {
      const words = schema.anyOf?.flatMap((form) => form.enum ?? []) ?? ['1', '20', '100'];
      for (const text of words.flatMap(spellings)) {
        const accepted = isAccepted(name, text, set);
        expect(accepted, `${name}=${JSON.stringify(text)}`).toBe(isDescribed(schema, text));
        outcomes[accepted ? 'accepted' : 'refused'] += 1;
      }
    }
    expect(closed.length).toBeGreaterThan(1);
    expect(Math.min(outcomes.accepted, outcomes.refused)).toBeGreaterThan(100);
  });
});

describe('the pattern of white space', () => {
  it('has exactly the characters that `trim` removes', () => {
    const pattern = new RegExp(parameterPattern('x'), 'u');
    const differing = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (sign) => pattern.test(sign) !== (sign.trim() === '' || sign === 'x'),
    );
    expect(differing).toEqual([]);
  });

  it('has nothing that pattern languages read differently', () => {
    expect(parameterPattern('x')).not.toMatch(/\\[swdbpvxz]|\$./i);
  });
});
