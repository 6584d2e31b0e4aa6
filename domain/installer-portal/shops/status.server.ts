/**
 * Pauses, suspends, closes and reopens a shop, with every affected upcoming appointment. A single transaction; messages
 * are sent after it commits. Orders are locked first, then the bays, then the shop, in the same order as appointment
 * moves.
 */
import { createHash } from 'node:crypto'
import { lockAllBays } from '#domain/scheduling/booking/booking.server.ts'
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import {
  lockShopRecord,
  selectShopRecord,
  updateStatus,
  type ShopRecord,
  type StatusChange,
} from '#domain/scheduling/installers/installers.server.ts'
import { canStaffCancel } from '#domain/ordering/orders/orders.ts'
import {
  cancelWithin,
  hasLineRefunds,
  listOfficeAppointments,
  lockOrder,
  readOrder,
  recordOrderAct,
  type OfficeAppointment,
} from '#domain/ordering/orders/orders.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import { haveTiresLeft, refuseForShop } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import { isDeadlock, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { AppointmentChoice, AppointmentChoices } from './status-form.ts'

type Deps = { db: Database; clock: Clock }

/** An appointment ahead that a change affects. `whyNoRefund`: why its order can't be canceled whole; null if it can. */
export type AffectedAppointment = OfficeAppointment & { whyNoRefund: string | null; areTiresThere: boolean }

export type StatusInput =
  | { to: 'paused'; from: Temporal.PlainDate; through: Temporal.PlainDate; reason: string }
  | { to: 'suspended' | 'closed'; reason: string }
  | { to: 'open' }

export type StatusRefusal =
  | Refused<'not-allowed'>
  | Refused<'gone'>
  | Refused<'changed-meanwhile'>
  | Refused<'past'>
  | Refused<'no-change'>
  | Refused<'not-kept'>
  | Refused<'refund-not-allowed'>
  | Refused<'no-refund', { orderId: number; why: string }>
  | Refused<'begun', { orderId: number }>

/** More appointments ahead than any shop has in the days that can be booked. */
const maxAffected = 2_000

/** A shop's days affected by a change, from an instant until another (exclusive), null for no end. */
type Span = { from: Temporal.Instant; until: Temporal.Instant | null }

/**
 * Lists the upcoming appointments affected by a change, earliest first, with a fingerprint of the list. Reopening
 * affects no appointments.
 */
export async function listAffected(
  { db, clock }: Deps,
  shop: ShopRecord,
  input: StatusInput,
): Promise<{ appointments: AffectedAppointment[]; seen: string }> {
  const span = spanOf(shop, input, clock.now())
  const found = span ? await appointmentsIn(db, shop.id, span) : []
  const appointments: AffectedAppointment[] = []
  for (const each of found) {
    const order = await readOrder(db, each.orderId)
    const allowed = order && canStaffCancel(order)
    const whyNoRefund =
      order && allowed?.can && (await hasLineRefunds(db, order.id))
        ? 'Lines of this order were refunded before. Cancel the rest on its page.'
        : allowed && !allowed.can
          ? allowed.reason
          : null
    appointments.push({ ...each, whyNoRefund, areTiresThere: order !== undefined && haveTiresLeft(order) })
  }
  return { appointments, seen: nameOf(found) }
}

/**
 * Pauses, suspends, closes or reopens a shop, and applies the chosen action to each affected appointment. `seen` is the
 * fingerprint of the shown appointments, undefined if none were shown, and `version` is the shop's. A mismatch is
 * refused with `changed-meanwhile`.
 * Refuses with `past` for a pause that is over, `no-change`, `not-kept` for appointments that would stay at a closed
 * shop, `no-refund` and `refund-not-allowed` for orders that can't be canceled (by this person), and `begun` for a job
 * in service.
 */
export async function changeStatus(
  deps: Deps,
  by: Actor,
  asked: {
    code: string
    version: number
    seen?: string | undefined
    input: StatusInput
    choices: AppointmentChoices
  },
  attempts = attemptsAfterDeadlock,
): Promise<Outcome<{ affected: number }, StatusRefusal>> {
  try {
    return await deps.db.transaction().execute((tx) => change(tx, deps.clock, by, asked))
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    if (isDeadlock(error) && attempts > 0) return changeStatus(deps, by, asked, attempts - 1)
    throw error
  }
}

/** A hold locks its tires before its shop, and a refund the other way around. */
const attemptsAfterDeadlock = 3

type Asked = Parameters<typeof changeStatus>[2]

async function change(
  tx: Tx,
  clock: Clock,
  by: Actor,
  { code, version, seen, input, choices }: Asked,
): Promise<Outcome<{ affected: number }, StatusRefusal>> {
  const at = clock.now()
  const found = await selectShopRecord(tx, { code })
  const permitted = await requirePermission(tx, by, permissionFor(found, input), at)
  if (!permitted.ok) return permitted
  if (!found) return refused('gone')
  const locked = new Set<number>()
  for (const { orderId } of await affectedOf(tx, found, input, at)) locked.add(orderId)
  for (const orderId of [...locked].toSorted((one, other) => one - other)) await lockOrder(tx, orderId)
  await lockAllBays(tx, found.id)
  const shop = await lockShopRecord(tx, { code })
  if (!shop) return refused('gone')
  // Includes every change committed before the shop was locked; the database refuses later ones.
  const affected = await affectedOf(tx, shop, input, at)
  const isAsShown = input.to === 'open' || seen === undefined || nameOf(affected) === seen
  if (shop.version !== version || !isAsShown || affected.some(({ orderId }) => !locked.has(orderId)))
    return refused('changed-meanwhile')
  const next = nextStatus(shop, input, at)
  if (!next.ok) return next
  const decided = affected.map((each) => ({ ...each, choice: choices.byBooking[each.id] ?? choices.rest }))
  const allowed = await checkChoices(tx, by, { input, at, chosen: decided.map(({ choice }) => choice) })
  if (!allowed.ok) return allowed
  await updateStatus(tx, shop.id, next.value)
  const reason = input.to === 'open' ? '' : `${stopText(input)}: ${input.reason}`.slice(0, 300)
  for (const each of decided) await settle(tx, clock, by, { ...each, reason })
  await recordStatus(tx, by, { shop, input, next: next.value, at, chosen: decided.map(({ choice }) => choice) })
  await announceCatalogChange(tx)
  return ok({ affected: decided.length })
}

/** Whether these choices are possible with the change, and this person may make them. */
async function checkChoices(
  tx: Tx,
  by: Actor,
  { input, at, chosen }: { input: StatusInput; at: Temporal.Instant; chosen: readonly AppointmentChoice[] },
): Promise<Outcome<null, Refused<'not-kept'> | Refused<'refund-not-allowed'>>> {
  if (input.to !== 'paused' && chosen.includes('keep')) return refused('not-kept')
  if (!chosen.includes('refund')) return ok(null)
  const mayRefund = await requirePermission(tx, by, 'orders.cancel', at)
  return mayRefund.ok ? ok(null) : refused('refund-not-allowed')
}

/** Writes the audit entry with the shop before and after, and the choices with their appointment counts. */
async function recordStatus(
  tx: Tx,
  by: Actor,
  {
    shop,
    input,
    next,
    at,
    chosen,
  }: {
    shop: ShopRecord
    input: StatusInput
    next: StatusChange
    at: Temporal.Instant
    chosen: readonly AppointmentChoice[]
  },
): Promise<void> {
  const count = (choice: AppointmentChoice) => chosen.filter((each) => each === choice).length
  await recordAct(tx, {
    by,
    act: acts[input.to],
    subject: shop.code,
    before: { status: statusText(shop) },
    after: {
      status: next.to === 'paused' ? `paused ${next.from} until before ${next.until}` : next.to,
      offered: count('offer'),
      refunded: count('refund'),
      kept: count('keep'),
    },
    ...(input.to !== 'open' && { reason: input.reason }),
    at,
  })
}

const acts = {
  paused: 'shop.paused',
  suspended: 'shop.suspended',
  closed: 'shop.closed',
  open: 'shop.reopened',
} as const

/** Starting and ending pauses needs the permission to edit; listing or unlisting a shop needs a more restricted one. */
function permissionFor(shop: ShopRecord | undefined, { to }: StatusInput): Permission {
  return to === 'paused' || (to === 'open' && (shop?.status ?? 'open') === 'open') ? 'shops.edit' : 'shops.close'
}

function nextStatus(
  shop: ShopRecord,
  input: StatusInput,
  now: Temporal.Instant,
): Outcome<StatusChange, Refused<'past'> | Refused<'no-change'>> {
  switch (input.to) {
    case 'open':
      return shop.status === 'open' && shop.pause === null ? refused('no-change') : ok({ to: 'open' })
    case 'paused': {
      if (shop.status !== 'open' || shop.isInSetUp) return refused('no-change')
      const today = now.toZonedDateTimeISO(shop.timeZone).toPlainDate()
      if (Temporal.PlainDate.compare(input.through, today) < 0) return refused('past')
      const until = input.through.add({ days: 1 }).toString()
      return ok({ to: 'paused', from: input.from.toString(), until, reason: input.reason })
    }
    case 'suspended':
    case 'closed':
      return shop.status === input.to ? refused('no-change') : ok({ to: input.to, reason: input.reason })
  }
}

/** "No appointments from Nov 30 through Dec 5": what customers and the shop read before the reason. */
function stopText(input: Exclude<StatusInput, { to: 'open' }>): string {
  switch (input.to) {
    case 'paused':
      return `No appointments from ${shortDay(input.from)} through ${shortDay(input.through)}`
    case 'suspended':
      return 'No appointments for now'
    case 'closed':
      return 'The shop no longer installs tires for us'
  }
}

function shortDay(day: Temporal.PlainDate): string {
  return day.toLocaleString('en-US', { month: 'short', day: 'numeric' })
}

function statusText({ status, pause }: ShopRecord): string {
  return pause ? `paused ${pause.from} until before ${pause.until}` : status
}

/** Applies the chosen action to one appointment with a locked order. */
async function settle(
  tx: Tx,
  clock: Clock,
  by: Actor,
  { id: bookingId, orderId, choice, reason }: OfficeAppointment & { choice: AppointmentChoice; reason: string },
): Promise<void> {
  if (choice === 'keep') return
  const order = await readOrder(tx, orderId)
  if (!order) throw new Undo(refused('changed-meanwhile'))
  const actor = `staff:${by.name}`
  if (choice === 'offer') {
    const isEnded = await refuseForShop(tx, clock, { bookingId, order, reason, actor })
    if (!isEnded) throw new Undo(refused('begun', { orderId }))
    return
  }
  const canceled = await cancelWithin(tx, clock, { orderId, actor, byStaff: true })
  if (!canceled.ok) {
    const why = canceled.reason === 'too-late' ? canceled.detail.reason : 'The order is gone.'
    throw new Undo(refused('no-refund', { orderId, why }))
  }
  await recordOrderAct(tx, by, {
    act: 'order.canceled',
    order,
    at: clock.now(),
    reason,
    after: { state: 'canceled', refundedCents: order.payment?.capturedCents ?? 0 },
  })
}

function affectedOf(db: Database, shop: ShopRecord, input: StatusInput, now: Temporal.Instant) {
  const span = spanOf(shop, input, now)
  return span ? appointmentsIn(db, shop.id, span) : Promise.resolve([])
}

function spanOf({ timeZone }: ShopRecord, input: StatusInput, now: Temporal.Instant): Span | null {
  if (input.to === 'open') return null
  if (input.to !== 'paused') return { from: now, until: null }
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).toInstant()
  const begins = startOf(input.from)
  return {
    from: Temporal.Instant.compare(begins, now) < 0 ? now : begins,
    until: startOf(input.through.add({ days: 1 })),
  }
}

async function appointmentsIn(db: Database, shopId: number, { from, until }: Span): Promise<OfficeAppointment[]> {
  const query = { view: 'ahead', from, until, shopIds: [shopId] } as const
  return (await listOfficeAppointments({ db }, query, { after: null, limit: maxAffected })).appointments
}

/** Returns a fingerprint of a set of appointments, which changes if one is added, removed or rescheduled. */
function nameOf(appointments: readonly OfficeAppointment[]): string {
  const parts = appointments.map(({ id, start }) => `${id} ${start.toString()}`)
  return createHash('sha256').update(parts.toSorted().join('\n')).digest('base64url').slice(0, 22)
}

/** Rolls back a change when an appointment can't be settled as chosen. */
class Undo extends Error {
  readonly refusal: StatusRefusal
  constructor(refusal: StatusRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
