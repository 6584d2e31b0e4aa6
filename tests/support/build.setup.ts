/** Vitest global setup: tests over HTTP and in the browser are of what is shipped, so it is built first. */
import { buildIfStale } from '../../tools/build.ts'

export async function setup(): Promise<void> {
  await buildIfStale()
}
