/**
 * Files a claim. Verifies access to the order, checks the claim automatically, and stores claims for staff review once.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { createHash } from 'node:crypto'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { lastDeliveryOn, proveOrder, type OrderView, type ProofRefusal } from '#domain/ordering/orders/orders.server.ts'
import { readGivable } from '#domain/ordering/refunds/refunds.server.ts'
import { readAttachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import { requestsPerHour } from '#domain/messaging/support/support.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import { coverageLimitsOf } from '#domain/kernel/settings/settings.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { ClaimForm } from './claim-form.ts'
import { checkClaim, isCovered, mostOfClaim, paidForTires, type ClaimFinding } from './coverage-claims.ts'
import {
  countReplaced,
  countSince,
  findOpenAlready,
  insertClaim,
  queueUp,
  type NewClaim,
} from './coverage-claims.sql.server.ts'

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

type Sender = {
  /** The order was placed in this browser or by its account, so no further verification is needed. */
  isOwn: boolean
  networkKey: string
  file: { name: string; bytes: Uint8Array } | null
  signal?: AbortSignal
}

/**
 * Files a claim and returns its id. While a claim is open, the same content is the same claim. The answer goes to the
 * order's own address. Refuses what the plan's table rules out with the reason by its field, a claim without a picture
 * or receipt, more than `requestsPerHour` from one network or email, and files as the contact page does.
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
  return store(deps, sender, {
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
    mostCents,
    words: form.words,
    networkKey: sender.networkKey,
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

async function store(
  deps: Deps,
  { file, signal, networkKey }: Sender,
  claimed: Omit<NewClaim, 'said' | 'at'>,
): Promise<Outcome<{ id: number }, Refused<'too-many-requests'> | FileRefusal>> {
  const { networkKey: _, mostCents: __, ...content } = claimed
  const said = createHash('sha256')
    .update(JSON.stringify(content))
    .update('\n')
    .update(file?.bytes ?? '')
    .digest()
  const already = await findOpenAlready(deps.db, said)
  if (already !== undefined) return ok({ id: already })
  const now = deps.clock.now()
  const since = now.subtract({ hours: 1 })
  // No file is examined for a claim that would be refused; counted again when stored.
  if ((await countSince(deps.db, claimed, since)) >= requestsPerHour) return refused('too-many-requests')
  if (file && !(await deps.rateLimits.take('attachment', { sender: networkKey })).ok)
    return refused('too-many-requests')
  const attachment = file ? await readAttachment(file, signal) : ok(null)
  if (!attachment.ok) return attachment
  return deps.db.transaction().execute(async (tx) => {
    await queueUp(tx)
    const same = await findOpenAlready(tx, said)
    if (same !== undefined) return ok({ id: same })
    if ((await countSince(tx, claimed, since)) >= requestsPerHour) return refused('too-many-requests')
    const id = await insertClaim(tx, { ...claimed, said, at: now }, attachment.value)
    const mail = { orderId: claimed.orderId, at: now }
    await queueMessage(tx, { kind: 'claim-received', key: `claim-received:${id}`, to: claimed.email, ...mail })
    await queueMessage(tx, { kind: 'claim-filed', key: `claim-filed:${id}`, to: deps.config.store.email, ...mail })
    return ok({ id })
  })
}
