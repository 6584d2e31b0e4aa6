/** Runs refund jobs for a store without a worker. */
import { sql } from 'kysely'
import { payOutRefund } from '#domain/payments/payments/payments.server.ts'
import { emailIssuedRefund } from '#domain/ordering/returns/returns.server.ts'

/** Runs the waiting refund jobs, and then the jobs that email the customers, as the worker does, once each. */
export async function payOutRefunds(store: Parameters<typeof payOutRefund>[0]): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'refund-charge' and attempts < max_attempts order by key`.execute(
    store.db,
  )
  for (const { key } of rows) {
    await payOutRefund(store, key.replace('refund-charge:', ''))
    await sql`select graphile_worker.remove_job(${key})`.execute(store.db)
  }
  await emailIssuedRefunds(store)
}

/** Runs the pending jobs that email customers about issued refunds. */
export async function emailIssuedRefunds(store: Parameters<typeof emailIssuedRefund>[0]): Promise<void> {
  const { rows } = await sql<{ key: string; payload: { key: string } }>`
    select key, payload from graphile_worker._private_jobs where key like 'refund-issued:%' order by key`.execute(
    store.db,
  )
  for (const { key, payload } of rows) {
    await emailIssuedRefund(store, payload)
    await sql`select graphile_worker.remove_job(${key})`.execute(store.db)
  }
}
