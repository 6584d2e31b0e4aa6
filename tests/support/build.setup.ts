/** Vitest global setup: HTTP and browser tests run against the production build, so it is built first. */
import { buildIfStale } from '../../tools/build.ts'

export async function setup(): Promise<void> {
  await buildIfStale()
}
