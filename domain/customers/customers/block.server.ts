/** Keeping a customer from ordering, and notes on customers. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { maxBlockReason, maxCustomerNote } from './customers.ts'
import {
  endBlocks,
  insertBlock,
  insertCustomerNote,
  lockPhones,
  selectBlock,
  selectCustomerNotes,
  type Block,
  type CustomerNote,
} from './block.sql.server.ts'
import { lockCustomers } from './merge.sql.server.ts'

export {
  selectBlockedAmong as listBlockedAmong,
  selectIsBlocked as isBlockedBuyer,
  type Block,
  type CustomerNote,
} from './block.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type ActRefusal = Refused<'not-allowed'> | Refused<'customer-not-found'>

/**
 * Blocks a customer. After the commit, orders with their account, email or phone are refused. An order in progress
 * either commits first or is refused. Blocking a blocked customer has no effect. Refuses `no-words` without a reason,
 * or with a longer one than `maxBlockReason`.
 */
export async function blockCustomer(
  deps: Deps,
  by: Actor,
  { id, reason: typed }: { id: string; reason: string },
): Promise<Outcome<null, ActRefusal | Refused<'no-words'>>> {
  const reason = typed.trim()
  if (reason === '' || reason.length > maxBlockReason) return refused('no-words')
  return actOn(deps, by, { id, permission: 'customers.manage', locksPhones: true }, async (tx, email, at) => {
    if (await insertBlock(tx, { id: newTimedId(), customerId: id, reason, by: by.name, at }))
      await recordAct(tx, { by, act: 'customer.blocked', subject: email, reason, at })
  })
}

/** Ends a customer's block. Idempotent. */
export async function unblockCustomer(deps: Deps, by: Actor, id: string): Promise<Outcome<null, ActRefusal>> {
  return actOn(deps, by, { id, permission: 'customers.manage' }, async (tx, email, at) => {
    if ((await endBlocks(tx, { customerId: id, by: by.name, at })) > 0)
      await recordAct(tx, { by, act: 'customer.unblocked', subject: email, at })
  })
}

/** Finds the block of a customer or of one merged into it. `ids` are theirs. */
export function findBlock({ db }: Pick<Deps, 'db'>, ids: readonly string[]): Promise<Block | undefined> {
  return selectBlock(db, ids)
}

/** Adds a note to a customer, once per `once`. Refuses `no-words` for an empty note or one over `maxCustomerNote`. */
export async function noteCustomer(
  deps: Deps,
  by: Actor,
  { id, body: typed, once }: { id: string; body: string; once: string },
): Promise<Outcome<null, ActRefusal | Refused<'no-words'>>> {
  const body = typed.trim()
  if (body === '' || body.length > maxCustomerNote || !isId(once)) return refused('no-words')
  return actOn(deps, by, { id, permission: 'customers.note' }, async (tx, email, at) => {
    if (await insertCustomerNote(tx, { id: once, customerId: id, body, author: by.name, at }))
      await recordAct(tx, { by, act: 'customer.noted', subject: email, at })
  })
}

/** Lists the last notes on a customer and on those merged into it, newest first. `ids` are theirs. */
export function listCustomerNotes({ db }: Pick<Deps, 'db'>, ids: readonly string[]): Promise<CustomerNote[]> {
  return selectCustomerNotes(db, ids, 50)
}

async function actOn(
  { db, clock }: Deps,
  by: Actor,
  { id, permission, locksPhones = false }: { id: string; permission: Permission; locksPhones?: boolean },
  act: (tx: Tx, email: string, at: Temporal.Instant) => Promise<void>,
): Promise<Outcome<null, ActRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, permission, at)
    if (!permitted.ok) return permitted
    if (!isId(id)) return refused('customer-not-found')
    if (locksPhones) await lockPhones(tx, id)
    const [customer] = await lockCustomers(tx, [id])
    if (!customer) return refused('customer-not-found')
    await act(tx, customer.email, at)
    return ok(null)
  })
}
