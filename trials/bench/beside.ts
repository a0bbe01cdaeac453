import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startIndexer } from '../../test/support/indexer-process.ts';
import type { DataSource } from './load-data.ts';
import { type ProductServer, startProduct } from './product-server.ts';

/** The service of another checkout with the same records, in a store of its own. */
export interface OtherProduct {
  product: ProductServer;
  stop(): Promise<void>;
}

/**
 * Fills a store with the other checkout's own commands, since its form may differ, and starts its service.
 *
 * @param folder of the checkout, with its packages installed
 * @param settings of the engines of the production backend; none for the embedded one
 */
export async function startOther(
  folder: string,
  source: DataSource,
  settings: Readonly<Record<string, string>>,
): Promise<OtherProduct> {
  const root = resolve(folder);
  const dataDir = await mkdtemp(join(tmpdir(), 'masthead-beside-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  const own = { ...settings, MASTHEAD_DATA_DIR: dataDir };
  const run = async (...args: string[]) => {
    const indexer = startIndexer(args, own, root);
    const code = await indexer.ended;
    // 1: some rows were rejected.
    if (code !== 0 && code !== 1) throw new Error(`${args[0]} in ${root} ended with ${code}: ${indexer.output()}`);
  };
  try {
    const sample = join(dataDir, 'sample.ndjson');
    if ('count' in source) await run('sample', String(source.count), '--output', sample);
    await run('import', ...('count' in source ? [sample] : source.files.map((file) => resolve(file))));
    if (Object.keys(settings).length > 0) await run('reindex');
    const product = await startProduct(own, join(dataDir, 'server.log'), root);
    const stop = async () => {
      await product.stop();
      await remove();
    };
    return { product, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}
