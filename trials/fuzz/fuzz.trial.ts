import { expect, it } from 'vitest';
import { ofForm } from '../../test/support/form.ts';
import { findIfRequired } from '../find-if-required.ts';
import { findSchemathesis, type Schemathesis } from './find-schemathesis.ts';
import { runFuzz } from './run-fuzz.ts';

const schemathesis = await findIfRequired('The fuzzing is', () => findSchemathesis((line) => console.log(line)));

it.skipIf(schemathesis === null)('answers generated requests as the API description says', async () => {
  const plan = { cases: ofForm(10, 100), seed: 1 };
  const { code, output } = await runFuzz(schemathesis as Schemathesis, plan);
  expect(code, output).toBe(0);
});
