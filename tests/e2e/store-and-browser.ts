import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { launchBrowser } from '#tests/support/browser.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

/**
 * Starts one store and one browser for all tests of a file; await it at the top. Both are stopped after the last test.
 */
export async function startStoreAndBrowser(
  options?: Parameters<typeof startStore>[0],
): Promise<{ store: RunningStore; browser: Browser }> {
  const store = await startStore(options)
  const browser = await launchBrowser()
  afterAll(async () => {
    await browser.close()
    await store[Symbol.asyncDispose]()
  })
  return { store, browser }
}
