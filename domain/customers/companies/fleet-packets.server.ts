/** Whether the orders of a company need a fleet packet. */
import { lockCompany } from './members.sql.server.ts'
import { selectCompany, updateFleetPackets } from './companies.sql.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/**
 * Sets whether new orders of an approved company require a PO number and fleet work order details. Existing orders are
 * unaffected.
 */
export async function setFleetPackets(
  { db, clock }: { db: Database; clock: Clock },
  { id, hasFleetPackets, by }: { id: string; hasFleetPackets: boolean; by: Actor },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'company-not-found'> | Refused<'not-approved'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'companies.decide', at)
    if (!permitted.ok) return permitted
    await lockCompany(tx, id)
    const company = await selectCompany(tx, id)
    if (!company) return refused('company-not-found')
    if (company.state !== 'approved') return refused('not-approved')
    if (company.hasFleetPackets === hasFleetPackets) return ok(null)
    await updateFleetPackets(tx, id, hasFleetPackets)
    await recordAct(tx, {
      by,
      act: 'company.fleet-packets-set',
      subject: company.name,
      before: { needed: company.hasFleetPackets },
      after: { needed: hasFleetPackets },
      at,
    })
    return ok(null)
  })
}
