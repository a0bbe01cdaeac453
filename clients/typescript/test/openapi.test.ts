import { describe, expect, it } from 'vitest';
import { narrowInputs } from '../../narrow-inputs.ts';
import workspace from '../../package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };

describe('the types of the TypeScript client', () => {
  it('have the words of closed lists, with and without !, where the service forgives any text', () => {
    const words = { type: 'string', enum: ['a', 'b'] };
    const open = { type: ['array', 'string'], items: { anyOf: [words, { type: 'string' }] } };
    const closed = { type: 'string', anyOf: [words, { type: 'string', pattern: '^[aA]$' }] };
    const flag = {
      type: 'string',
      anyOf: [
        { type: 'string', enum: ['1', 'true'] },
        { type: 'string', pattern: '.' },
      ],
    };
    const document = {
      parameters: [open, closed, flag, { type: ['integer', 'string'], minimum: 0 }],
      responses: [closed],
    };
    const all = { type: 'string', enum: ['a', 'b', '!a', '!b'] };
    expect(narrowInputs(document)).toEqual({
      parameters: [
        { anyOf: [all, { type: 'array', items: all }] },
        words,
        { type: 'boolean' },
        { type: 'integer', minimum: 0 },
      ],
      responses: [closed],
    });
  });
});

it('the TypeScript client is tested with the very packages that it asks its users to install', () => {
  expect(workspace.devDependencies).toMatchObject(manifest.dependencies);
});
