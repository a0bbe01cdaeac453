import { registerHooks } from 'node:module';

/*
 * Prints the forms of both indexes as a version of Masthead would make them in which one piece of one file is another:
 * node test/domain/print-index-form.ts [FILE PIECE OTHER]. Fails where the file or the piece is not there.
 */
const [file = '', piece = '', other = ''] = process.argv.slice(2);
let isChanged = file === '';
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (file === '' || !url.endsWith(`/${file}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    isChanged = source.includes(piece);
    return { ...loaded, source: source.replace(piece, () => other) };
  },
});

const embedded = await import('#backends/embedded/index-form.ts');
const elasticsearch = await import('#backends/elasticsearch/index-form.ts');
const { readingForm } = await import('#backends/mongo/reading-form.ts');
if (!isChanged) throw new Error(`${file} is not read, or does not hold ${piece}`);
console.log(JSON.stringify({ embedded: embedded.indexForm(), elasticsearch: elasticsearch.indexForm(readingForm()) }));
