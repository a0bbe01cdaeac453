import { expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

it('the TypeScript client asks its users for no other package', () => {
  expect(manifest).not.toHaveProperty('dependencies');
});
