/**
 * An API process on the MongoDB that MONGODB_URI names, with payments in the sandbox: all of the product but its search,
 * which is the embedded one of an empty folder, so that no Elasticsearch is needed. Says its URL on standard output.
 */
import { pino } from 'pino';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { openMongo } from '#backends/mongo/open-mongo.ts';
import { serve } from '#http/serve.ts';
import { createApp } from '#src/app.ts';
import { loadConfig } from '#src/config.ts';
import { createLogger } from '#src/create-logger.ts';
import { writeCsv } from '#src/csv/write-csv.ts';
import { openLeadTools } from '#src/open-lead-tools.ts';
import { openPayments } from '#src/open-payments.ts';

const { MASTHEAD_DATA_DIR: dataDir, RATE_LIMIT_CHECKOUT, KEY_PEPPER: pepper = '', MONGODB_URI: uri = '' } = process.env;
const config = loadConfig({ MASTHEAD_DATA_DIR: dataDir, RATE_LIMIT_CHECKOUT, PAYMENTS: 'sandbox', PORT: '0' });
const { index } = openEmbedded(config);
const { counts, ...stores } = await openMongo({ uri, say: () => {}, reportUnreadable: () => {} });
const log = createLogger('warn', pino.destination({ fd: 2, sync: true }));

const server = await serve(config, (publicUrl) =>
  createApp({
    ...stores,
    ...openPayments(config, publicUrl, log),
    index,
    sharedCounts: counts,
    offers: config.offers,
    leadTools: openLeadTools(config),
    writeFile: writeCsv,
    pushMaxLeads: config.pushMaxLeads,
    rateLimits: config.rateLimits,
    trustProxy: false,
    pepper,
    publicUrl,
    log,
    now: () => new Date(),
    listMissing: async () => [],
  }),
);
console.log(`serves at ${server.url}`);
