import { describe, expect, it } from 'vitest';
import { narrowInputs } from '../../narrow-inputs.ts';
import workspace from '../../package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };

describe('the types of the TypeScript client', () => {
  it('have the words of closed lists, with and without !, where the service forgives any text', () => {
    const words = { type: 'string', enum: ['a', 'b'] };
    const text = { type: 'string' };
    const open = { anyOf: [{ type: 'array', items: { anyOf: [words, text] } }, text] };
    const names = { type: 'array', items: { anyOf: [words, text] } };
    const flag = { type: 'string', enum: ['0', '1', 'true', 'false'] };
    const document = { parameters: [open, names, words, flag], responses: [open] };
    const all = { type: 'string', enum: ['a', '!a', 'b', '!b'] };
    expect(narrowInputs(document)).toEqual({
      parameters: [
        { anyOf: [all, { type: 'array', items: all }] },
        { type: 'array', items: words },
        words,
        { type: 'boolean' },
      ],
      responses: [open],
    });
  });
});

it('the TypeScript client is tested with the very packages that it asks its users to install', () => {
  expect(workspace.devDependencies).toMatchObject(manifest.dependencies);
});
