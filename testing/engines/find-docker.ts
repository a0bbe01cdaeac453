import type { ContainerRuntimeClient } from 'testcontainers';
import { readTestSettings } from './test-settings.ts';

/** There is no Docker, or it is turned off. */
export class NoDocker extends Error {}

/** The images that cannot be had, and why: to ask for them again takes long where a registry cannot be reached. */
const missingImages = new Map<string, string>();

/**
 * Docker, or what testcontainers takes for it, with the image at hand.
 *
 * @throws NoDocker, or Error where there is a Docker that cannot pull the image.
 */
export async function findDocker(image: string): Promise<ContainerRuntimeClient> {
  if (readTestSettings().docker === 'off') throw new NoDocker('Docker is turned off');
  // Imported only here: it takes half a second, which runs without containers need not spend.
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
