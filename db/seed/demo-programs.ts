/** A partner with a usable code, and an employer with employees who can sign in at the sandbox. */
import type { PoolClient } from 'pg'
import { insertRows } from '#db/insert-rows.ts'
import { addEmployer } from '#domain/customers/programs/programs.server.ts'
import { storeDay } from '#platform/store-zone.ts'
import { accepted, byDemo, depsAt } from './seed-transaction.ts'

/** Adds both as of `now`, with a fixed partner code and widget key. */
export async function loadPrograms(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const at = now.toString()
  await insertRows(client, 'partner', [{ id: 1, name: 'Lakeshore Cycling Club', code: 'LAKE2345', since: at }], 'id')
  // The sandbox's sample page has this key; the report is in the account of paula@example.com.
  const id = 'wk_LakeshoreCyclingDemo'
  await insertRows(client, 'partner_widget', [
    { id, partner_id: 1, owner_email: 'paula@example.com', origins: 'https://lakeshore.example', created_at: at },
  ])
  await insertRows(client, 'widget_rate', [
    {
      widget_id: id,
      from_day: storeDay(now).toString(),
      commission_bp: 300,
      set_at: at,
      set_by: 'the application',
      is_first: true,
    },
  ])
  const employer = { domain: 'sidewall.example', employer: 'Sidewall', by: byDemo }
  accepted('The employer', await addEmployer(depsAt(client, now), employer))
}
