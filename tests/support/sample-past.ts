/** The demo data's history, for tests that advance the clock or count all shops' jobs. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** Removes the sample jobs' records and pay. */
export async function clearSampleJobs(db: Database): Promise<void> {
  await sql`truncate work_order, tire_registration, job_pay, pay_transfer, payout_account, bank_payout cascade`.execute(
    db,
  )
}

/** Removes the sample jobs, and extends the confirmation deadline of sample orders beyond any test. */
export async function setSamplePastAside(db: Database): Promise<void> {
  await clearSampleJobs(db)
  await sql`
    update sales_order set confirm_by = placed_at + interval '90 days', cancel_until = placed_at + interval '90 days'
    where state = 'needs-confirmation'`.execute(db)
}
