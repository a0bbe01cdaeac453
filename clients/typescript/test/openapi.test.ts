import { expect, it } from 'vitest';
import workspace from '../../package.json' with { type: 'json' };
import manifest from '../package.json' with { type: 'json' };

it('the TypeScript client is tested with the very packages that it asks its users to install', () => {
  expect(workspace.devDependencies).toMatchObject(manifest.dependencies);
});
