import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Dice } from '../../src/sample/dice.ts';
import { openBareElasticsearch } from './bare-elasticsearch.ts';
import { startBareHop } from './bare-hop.ts';
import { type EngineFigures, measureEngine } from './engine-search.ts';
import type { ProductionData } from './load-production.ts';
import { startProduct } from './product-server.ts';
import { measureSearch, type SearchFigures, type SearchPlan } from './search.ts';
import { questionData } from './search-questions.ts';

/** Measures searches of the production backend: class by class, and against the engine and a bare hop before it. */
export async function searchProduction(
  data: ProductionData,
  plan: SearchPlan,
): Promise<{ figures: SearchFigures; engine: EngineFigures }> {
  const bare = openBareElasticsearch(data.elasticsearchUrl, data.alias);
  const hop = await startBareHop(data.elasticsearchUrl);
  const throughHop = openBareElasticsearch(data.elasticsearchUrl, data.alias, hop.url);
  const settings = { ...data.settings, KEY_PEPPER: randomBytes(32).toString('hex') };
  const product = await startProduct(settings, join(data.dataDir, 'server.log'));
  try {
    const questions = questionData(data.some, new Dice(plan.seed));
    const figures = await measureSearch(product, bare, questions, plan);
    return { figures, engine: await measureEngine(product, bare, throughHop, questions, plan) };
  } finally {
    await product.stop();
    await Promise.all([bare.close(), throughHop.close()]);
    await hop.stop();
  }
}
