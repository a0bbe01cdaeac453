import { registerHooks } from 'node:module';

/*
 * Prints the forms of both indexes as a list: of this version, and of each version of Masthead in which one piece of one
 * file is another: node test/search/print-index-forms.ts '[["FILE", "PIECE", "OTHER"], …]'. Each version has modules of its
 * own, told apart by a query in their URLs. Fails where a file is not read, or does not hold its piece.
 */
const changes: readonly [file: string, piece: string, other: string][] = JSON.parse(process.argv[2] ?? '[]');
const made = new Set<number>();

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const version = versionOf(context.parentURL ?? '');
    const isOurs = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/');
    return version === null || !isOurs ? resolved : { ...resolved, url: `${resolved.url}?version=${version}` };
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const version = versionOf(url);
    const [file = '', piece = '', other = ''] = (version !== null && changes[version]) || [];
    if (version === null || file === '' || !new URL(url).pathname.endsWith(`/${file}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    if (source.includes(piece)) made.add(version);
    return { ...loaded, source: source.replace(piece, () => other) };
  },
});

function versionOf(url: string): number | null {
  const version = URL.canParse(url) ? new URL(url).searchParams.get('version') : null;
  return version === null ? null : Number(version);
}

async function readForms(query: string) {
  const { indexForms } = await import(`./index-forms.ts${query}`);
  return indexForms();
}

const forms = [await readForms('')];
for (const [version, [file, piece]] of changes.entries()) {
  forms.push(await readForms(`?version=${version}`));
  if (!made.has(version)) throw new Error(`${file} is not read, or does not hold ${piece}`);
}
console.log(JSON.stringify(forms));
