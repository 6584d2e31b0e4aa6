/** Vitest global setup. Builds first because HTTP and browser tests use the production build. */
import { buildIfStale } from '../../tools/build.ts'

export async function setup(): Promise<void> {
  await buildIfStale()
}
