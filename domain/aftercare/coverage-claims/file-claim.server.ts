/**
 * Files a claim. Verifies access to the order, checks the claim automatically, and stores claims for staff review once.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { fileCase, type Sender } from '#domain/aftercare/cases/cases.server.ts'
import { lastDeliveryOn, proveOrder, type OrderView, type ProofRefusal } from '#domain/ordering/orders/orders.server.ts'
import { readGivable } from '#domain/ordering/refunds/refunds.server.ts'
import type { FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { coverageLimitsOf } from '#domain/kernel/settings/settings.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { ClaimForm } from './claim-form.ts'
import { checkClaim, isCovered, mostOfClaim, paidForTires, type ClaimFinding } from './coverage-claims.ts'
import { claimCases } from './claim-cases.server.ts'
import { countReplaced, insertClaim } from './coverage-claims.sql.server.ts'

type Deps = {
  db: Database
  clock: Clock
  businessTerms: LiveTerms
  config: Pick<Config, 'store'>
  rateLimits: RateLimits
}

/** A fault of one field of the form. */
export type ClaimFault = { field: ClaimFinding['field'] | 'item' | 'attachment'; reason: string }

export type ClaimRefusal =
  | ProofRefusal
  | Refused<'too-many-requests'>
  | Refused<'not-covered', readonly ClaimFault[]>
  | FileRefusal

/**
 * Files a claim and returns its id. The answer goes to the order's own address. Refuses what the plan's table rules out
 * with the reason by its field, a claim without a picture or receipt, and what `fileCase` refuses.
 */
export async function fileClaim(
  deps: Deps,
  form: ClaimForm,
  sender: Sender,
): Promise<Outcome<{ id: number }, ClaimRefusal>> {
  const proven = await proveOrder(deps, form.orderNumber, { ...form, ...sender })
  if (!proven.ok) return proven
  const order = proven.value
  const tire = tireOf(order, await tiresOfOrder(deps.db, order), form.item)
  if (!tire.ok) return tire
  const deliveredOn = lastDeliveryOn(order)
  const plan = order.lines.find(({ kind }) => kind === 'coverage')?.coveragePlan ?? null
  const limits = coverageLimitsOf(deps.businessTerms.at(order.placedAt))
  const findings = checkClaim({
    kind: form.kind,
    cause: form.cause,
    tires: form.tires,
    happenedOn: form.happenedOn,
    today: deps.clock.now().toZonedDateTimeISO(order.timeZone).toPlainDate(),
    order: {
      state: order.state,
      deliveredOn,
      plan,
      limits,
      tiresLeft: tire.value.left,
    },
  })
  if (findings.length > 0) return refused('not-covered', findings)
  const paidCents = form.kind === 'repair' ? form.paid : null
  const priceCents = paidForTires(tire.value, form.tires)
  const mostCents = deliveredOn && plan && mostOfClaim({ ...form, plan, paidCents, priceCents, deliveredOn, limits })
  if (!deliveredOn || !plan || !mostCents || !isCovered(form.cause))
    throw new Error('A claim without findings has an amount.')
  if (!sender.file)
    return refused('not-covered', [
      {
        field: 'attachment',
        reason: form.kind === 'repair' ? 'Please attach the receipt.' : 'Please attach a photo of the damage.',
      },
    ])
  const content = {
    orderId: order.id,
    email: order.email,
    itemId: tire.value.itemId,
    tire: tire.value.name,
    tires: form.tires,
    plan,
    kind: form.kind,
    cause: form.cause,
    tin: form.tin,
    deliveredOn,
    happenedOn: form.happenedOn,
    paidCents,
    words: form.words,
  }
  return fileCase(deps, claimCases, sender, {
    ...content,
    content,
    insert: (tx, stored, file) => insertClaim(tx, { ...content, mostCents, ...stored }, file),
  })
}

/** An article of an order; `left` is how many of it are still the shopper's and were not replaced by the plan. */
type OrderedTire = { itemId: number; name: string; left: number; quantity: number; netCents: number }

async function tiresOfOrder(db: Database, order: OrderView): Promise<OrderedTire[]> {
  const replaced = await countReplaced(db, order.id)
  const tires = new Map<number, OrderedTire>()
  for (const line of (await readGivable(db, order, 'cancellation')).lines) {
    if (line.kind !== 'tire' || line.itemId === null) continue
    const tire = tires.get(line.itemId) ?? {
      itemId: line.itemId,
      name: line.description,
      left: -(replaced.get(line.itemId) ?? 0),
      quantity: 0,
      netCents: 0,
    }
    tires.set(line.itemId, {
      ...tire,
      left: tire.left + line.quantity - line.refundedUnits,
      quantity: tire.quantity + line.quantity,
      netCents: tire.netCents + line.netCents,
    })
  }
  return [...tires.values()].map((tire) => ({ ...tire, left: Math.max(0, tire.left) }))
}

/** Returns the claim's item, which defaults to the order's only item. */
function tireOf(
  order: OrderView,
  tires: readonly OrderedTire[],
  itemId: number | null,
): Outcome<OrderedTire, Refused<'not-covered', readonly ClaimFault[]>> {
  const [only] = tires
  const found = itemId === null ? (tires.length === 1 ? only : undefined) : tires.find((tire) => tire.itemId === itemId)
  if (found) return ok(found)
  const names = tires.map((tire) => `${tire.itemId} for ${tire.name}`).join(', ')
  return refused('not-covered', [
    {
      field: 'item',
      reason:
        itemId === null
          ? `This order has more than one kind of tire. Enter ${names}.`
          : `This tire is not on order S-${order.id}.`,
    },
  ])
}
