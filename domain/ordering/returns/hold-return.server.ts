/** Holds a return's refund until a teammate has had a second look. */
import {
  accountableFor,
  lockOtherStaff,
  recordAct,
  requirePermission,
  type Actor,
} from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { lockView } from './inspect-return.server.ts'
import { returnNumber } from './return-terms.ts'
import { insertReturnHold, selectPendingRefund, updateReturnHold } from './returns.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotFound = Refused<'not-allowed'> | Refused<'return-not-found'>

/**
 * Holds a return's refund. The refund period continues. A program holds it for the person who added it. Idempotent.
 * Refuses a return without accepted tires, and one with a refund pending approval.
 */
export async function holdReturn(
  { db, clock }: Deps,
  by: Actor,
  { id, reason }: { id: number; reason: string },
): Promise<Outcome<null, NotFound | Refused<'nothing-accepted'> | Refused<'awaits-approval'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'returns.refund', at)
    if (!permitted.ok) return permitted
    const view = await lockView(tx, id)
    if (!view) return refused('return-not-found')
    if (view.hold) return ok(null)
    if (!view.tires.some(({ state }) => state === 'accepted')) return refused('nothing-accepted')
    if (await selectPendingRefund(tx, id)) return refused('awaits-approval')
    const { name } = await accountableFor(tx, by)
    await insertReturnHold(tx, { returnId: id, reason, by: name, at })
    await recordAct(tx, { by, act: 'return.held', subject: returnNumber(id), reason, at })
    return ok(null)
  })
}

/** Recorded for a hold that the same person set and ended. */
const noSecondPerson = 'Same person, because no other team member can refund returns'

/**
 * Ends a return's hold with the result of the second look. Idempotent. Refuses the person who set it (`own-hold`) and
 * their programs, unless no other team member can refund returns.
 */
export async function releaseReturn(
  { db, clock }: Deps,
  by: Actor,
  { id, result }: { id: number; result: string },
): Promise<Outcome<null, NotFound | Refused<'own-hold'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const person = await accountableFor(tx, by)
    const others = await lockOtherStaff(tx, person, 'returns.refund', at)
    const permitted = await requirePermission(tx, by, 'returns.refund', at)
    if (!permitted.ok) return permitted
    const view = await lockView(tx, id)
    if (!view) return refused('return-not-found')
    if (!view.hold) return ok(null)
    // Earlier holds have the names of programs.
    const isOwn = [person.name, by.name].includes(view.hold.by)
    if (isOwn && others.length > 0) return refused('own-hold')
    await updateReturnHold(tx, { returnId: id, result, by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'return.released',
      subject: returnNumber(id),
      ...(isOwn && { after: { secondLook: noSecondPerson } }),
      reason: result,
      at,
    })
    return ok(null)
  })
}
