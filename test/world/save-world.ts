import { writeFile } from 'node:fs/promises';
import { drawWorld, worldPath } from './draw-world.ts';

// Rewrites the map of the pages.

await writeFile(worldPath, await drawWorld());
console.log('src/web/world.json is up to date.');
