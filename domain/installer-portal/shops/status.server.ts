/**
 * Pauses, suspends, closes and reopens a shop, and schedules its closing, with every affected upcoming appointment. A single transaction; messages
 * are sent after it commits. Orders are locked first, then the bays, then the shop, in the same order as appointment
 * moves.
 */
import { createHash } from 'node:crypto'
import { lockAllBays } from '#domain/scheduling/booking/booking.server.ts'
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import {
  closeAfterLastDay,
  keepAppointment,
  lockShopRecord,
  selectKept,
  selectShopRecord,
  type ShopRecord,
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
import type { Database, Tx } from '#platform/db.ts'
import { retryDeadlocks } from '#platform/deadlocks.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { nextStep, spanOf, statusText, stopText, type Span, type StatusInput } from './status-changes.server.ts'
import type { AppointmentChoice, AppointmentChoices } from './status-form.ts'

export type { StatusInput } from './status-changes.server.ts'

type Deps = { db: Database; clock: Clock }

/** An appointment ahead that a change affects. `whyNoRefund`: why its order can't be canceled whole; null if it can. */
export type AffectedAppointment = OfficeAppointment & {
  whyNoRefund: string | null
  areTiresThere: boolean
  /** Why it stays after the last day; null unless it is kept. */
  keptReason: string | null
}

export type StatusRefusal =
  | Refused<'not-allowed'>
  | Refused<'gone'>
  | Refused<'changed-meanwhile'>
  | Refused<'past'>
  | Refused<'no-change'>
  | Refused<'not-kept'>
  | Refused<'last-day'>
  | Refused<'no-keep-reason'>
  | Refused<'refund-not-allowed'>
  | Refused<'no-refund', { orderId: number; why: string }>
  | Refused<'begun', { orderId: number }>

/** More appointments ahead than any shop has in the days that can be booked. */
const maxAffected = 2_000
/**
 * Lists the appointments affected by a change, earliest first, with a fingerprint of the list. Reopening affects no
 * appointments.
 */
export async function listAffected(
  { db, clock }: Deps,
  shop: ShopRecord,
  input: StatusInput,
): Promise<{ appointments: AffectedAppointment[]; seen: string }> {
  const span = spanOf(shop, input, clock.now())
  const found = span ? await appointmentsIn(db, shop.id, span) : []
  const kept = shop.closing ? await selectKept(db, shop.id) : new Map<string, { reason: string }>()
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
    const areTiresThere = order !== undefined && haveTiresLeft(order)
    appointments.push({ ...each, whyNoRefund, areTiresThere, keptReason: kept.get(each.id)?.reason ?? null })
  }
  return { appointments, seen: nameOf(found) }
}

/**
 * Changes a shop's status or scheduled closing, and applies the chosen action to each affected appointment. A
 * decision after the last day closes the shop if it was the last one. `seen` is the fingerprint of the shown
 * appointments, undefined if none were shown, and `version` is the shop's. A mismatch is refused with
 * `changed-meanwhile`. Refuses with `past` for a pause that is over, `no-change`, `not-kept` for appointments that would
 * stay at a closed shop, `last-day` for one that is over or more than a year ahead, `no-keep-reason`, `no-refund` and
 * `refund-not-allowed` for orders that can't be canceled (by this person), and `begun` for a job in service.
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
): Promise<Outcome<{ affected: number }, StatusRefusal>> {
  try {
    // A hold locks its tires before its shop, and a refund the other way around.
    return await retryDeadlocks(() => deps.db.transaction().execute((tx) => change(tx, deps.clock, by, asked)))
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  }
}

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
  const span = spanOf(shop, input, at)
  const affected = span ? await appointmentsIn(tx, shop.id, span) : []
  const isAsShown = span === null || seen === undefined || nameOf(affected) === seen
  if (shop.version !== version) return refused('changed-meanwhile')
  // First, because another day affects other appointments.
  const next = nextStep(shop, input, clock.now())
  if (!next.ok) return next
  if (!isAsShown || affected.some(({ orderId }) => !locked.has(orderId))) return refused('changed-meanwhile')
  const decided = affected.map((each) => ({ ...each, choice: choices.byBooking[each.id] ?? choices.rest }))
  const allowed = await checkChoices(tx, by, { input, at, chosen: decided.map(({ choice }) => choice) })
  if (!allowed.ok) return allowed
  await next.value(tx)
  await settleAll(tx, clock, by, { shop, input, decided })
  await recordStatus(tx, by, { shop, input, at, chosen: decided.map(({ choice }) => choice) })
  await announceCatalogChange(tx)
  return ok({ affected: decided.length })
}

/** Whether these choices are possible with the change, and this person may make them. */
async function checkChoices(
  tx: Tx,
  by: Actor,
  { input, at, chosen }: { input: StatusInput; at: Temporal.Instant; chosen: readonly AppointmentChoice[] },
): Promise<Outcome<null, Refused<'not-kept'> | Refused<'no-keep-reason'> | Refused<'refund-not-allowed'>>> {
  const isClosing = 'keepReason' in input
  if (!isClosing && chosen.includes('later')) return refused('not-kept')
  if (!isClosing && input.to !== 'paused' && chosen.includes('keep')) return refused('not-kept')
  if (isClosing && input.keepReason === '' && chosen.includes('keep')) return refused('no-keep-reason')
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
    at,
    chosen,
  }: {
    shop: ShopRecord
    input: StatusInput
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
      status: statusText((await selectShopRecord(tx, { id: shop.id })) ?? shop),
      offered: count('offer'),
      refunded: count('refund'),
      kept: count('keep'),
    },
    ...reasonOf(input),
    at,
  })
}

function reasonOf(input: StatusInput): { reason?: string } {
  if ('reason' in input) return { reason: input.reason }
  return 'keepReason' in input && input.keepReason !== '' ? { reason: input.keepReason } : {}
}

const acts = {
  paused: 'shop.paused',
  suspended: 'shop.suspended',
  closed: 'shop.closed',
  closing: 'shop.closing-scheduled',
  decided: 'shop.closing-decided',
  withdrawn: 'shop.closing-withdrawn',
  open: 'shop.reopened',
} as const

/** Starting and ending pauses needs the permission to edit; listing or unlisting a shop needs a more restricted one. */
function permissionFor(shop: ShopRecord | undefined, { to }: StatusInput): Permission {
  return to === 'paused' || (to === 'open' && (shop?.status ?? 'open') === 'open') ? 'shops.edit' : 'shops.close'
}

type Decided = OfficeAppointment & { choice: AppointmentChoice }

/** Applies the chosen actions, and closes the shop if these were the last decisions after its last day. */
async function settleAll(
  tx: Tx,
  clock: Clock,
  by: Actor,
  { shop, input, decided }: { shop: ShopRecord; input: StatusInput; decided: readonly Decided[] },
): Promise<void> {
  for (const each of decided) await settle(tx, clock, by, { ...each, record: shop, input })
  if (input.to !== 'decided') return
  await closeAfterLastDay(tx, shop.id, clock.now().toZonedDateTimeISO(shop.timeZone).toPlainDate())
}

/** Applies the chosen action to one appointment with a locked order. */
async function settle(
  tx: Tx,
  clock: Clock,
  by: Actor,
  { id: bookingId, orderId, choice, record, input }: Decided & { record: ShopRecord; input: StatusInput },
): Promise<void> {
  if (choice === 'keep' && 'keepReason' in input) {
    const kept = { bookingId, shopId: record.id, reason: input.keepReason, by: by.name, at: clock.now() }
    await keepAppointment(tx, kept)
  }
  if (choice === 'keep' || choice === 'later') return
  const reason = stopText(input, record).slice(0, 300)
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
