/** What balancers and supervisors ask: whether the process lives, and whether it can serve. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** A balancer asks every few seconds and does not wait long. */
const readyWithinMs = 2_000

/** `/healthz` answers while the process lives, `/readyz` 503 while the database is away. */
export function createHealth({ db }: { db: Database }): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    const isReady = await isDatabaseThere(db)
    return c.json({ status: isReady ? 'ready' : 'database-away' }, isReady ? 200 : 503, { 'cache-control': 'no-store' })
  })
  return app
}

async function isDatabaseThere(db: Database): Promise<boolean> {
  const answers = sql`select`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([answers, sleep(readyWithinMs, false, { ref: false })])
}
