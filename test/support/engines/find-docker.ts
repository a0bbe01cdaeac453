import type { ContainerRuntimeClient } from 'testcontainers';
import { readTestSettings } from './test-settings.ts';

/** Docker is missing or turned off. */
export class NoDocker extends Error {}

/** The images that are unavailable, and why: asking again takes long if a registry cannot be reached. */
const missingImages = new Map<string, string>();

/**
 * Docker, or what testcontainers uses instead, with the image present.
 *
 * @throws NoDocker, or Error if Docker cannot pull the image.
 */
export async function findDocker(image: string): Promise<ContainerRuntimeClient> {
  if (readTestSettings().docker === 'off') throw new NoDocker('Docker is turned off');
  // Imported only here: it takes half a second, which runs without containers can save.
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  const docker = await getContainerRuntimeClient().catch(() => {
    throw new NoDocker('there is no Docker');
  });
  if (!missingImages.has(image)) {
    try {
      await docker.image.pull(ImageName.fromString(image));
      return docker;
    } catch (error) {
      missingImages.set(image, (error as Error).message.trim().replace(/\s+/g, ' '));
    }
  }
  throw new Error(`Docker is there, but cannot pull ${image}: ${missingImages.get(image)}`);
}
