import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { SaleJob, SaleResult } from './buyers.ts'

/** Runs buyers in a separate process, so that their work isn't the test's. Returns the buyers' results. */
export async function startBuyers(job: SaleJob): Promise<SaleResult> {
  const child = fork(new URL('buyers.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  child.send(job)
  const [result] = (await once(child, 'message')) as [SaleResult]
  child.disconnect()
  return result
}
