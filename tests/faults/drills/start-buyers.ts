import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { SaleJob, SaleResult } from './buyers.ts'

/** Lets buyers come from a process of their own, so that their work is not the test's. Returns how it went with them. */
export async function startBuyers(job: SaleJob): Promise<SaleResult> {
  const child = fork(new URL('buyers.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  child.send(job)
  const [result] = (await once(child, 'message')) as [SaleResult]
  child.disconnect()
  return result
}
