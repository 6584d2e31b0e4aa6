/** Health checks for load balancers and supervisors, covering liveness and readiness. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** A load balancer checks every few seconds with a short timeout. */
const readyWithinMs = 2_000

/** `/healthz` answers as long as the process is alive; `/readyz` answers 503 while the database is down. */
export function createHealth({ db }: { db: Database }): Hono {
  const hono = new Hono()
  hono.get('/healthz', (c) => c.json({ status: 'ok' }))
  hono.get('/readyz', async (c) => {
    const isReady = await isDatabaseThere(db)
    return c.json({ status: isReady ? 'ready' : 'database-away' }, isReady ? 200 : 503, { 'cache-control': 'no-store' })
  })
  return hono
}

async function isDatabaseThere(db: Database): Promise<boolean> {
  const answers = sql`select`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answers, sleep(readyWithinMs, false, { ref: false })])
}
