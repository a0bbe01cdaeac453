import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { documentForSnapshot } from './snapshot.ts';

const source = documentForSnapshot();

/** What Spectral finds in a document under every recommended rule for OpenAPI. */
async function lintBySpectral(document: object) {
  const spectral = new Spectral();
  // Its types demand what a ruleset without parents does not have.
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] });
  return spectral.run(document as Record<string, unknown>);
}

/** The same by Redocly. */
async function lintByRedocly(document: object) {
  // Probes take no input, so they have no answer of 4xx. The other operations have theirs in api.ts.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-4xx-response': 'off' } });
  return lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
}

describe('the OpenAPI document', () => {
  it('passes every recommended rule of Spectral without a warning', async () => {
    const found = await lintBySpectral(JSON.parse(source));
    expect(found.map(({ code, path, message }) => `${code} at ${path.join('/')}: ${message}`)).toEqual([]);
  });

  it('passes every recommended rule of Redocly without a warning', async () => {
    const found = await lintByRedocly(JSON.parse(source));
    expect(found.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });

  it('fails both if an operation has no summary, no description or the document no license, so both really look', async () => {
    const broken = JSON.parse(source);
    delete broken.paths['/api/v1/search'].get.summary;
    delete broken.paths['/api/v1/search'].get.description;
    delete broken.info.license;
    expect(await lintBySpectral(broken)).not.toEqual([]);
    expect(await lintByRedocly(broken)).not.toEqual([]);
  });
});
