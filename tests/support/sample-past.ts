/** What happened in the demo data before a test, for tests that run the clock ahead or count the jobs of all shops. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** Removes what shops wrote down of the sample jobs and were paid for them. */
export async function clearSampleJobs(db: Database): Promise<void> {
  await sql`truncate work_order, tire_registration, job_pay, pay_transfer, payout_account, bank_payout cascade`.execute(
    db,
  )
}

/** Removes the sample jobs, and lets the sample orders that are to be confirmed wait longer than any test. */
export async function setSamplePastAside(db: Database): Promise<void> {
  await clearSampleJobs(db)
  await sql`
    update sales_order set confirm_by = placed_at + interval '90 days', cancel_until = placed_at + interval '90 days'
    where state = 'needs-confirmation'`.execute(db)
}
