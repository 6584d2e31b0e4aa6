/** One return, as the office sees it. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { timeText } from '#domain/ordering/orders/orders.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import {
  checkReturn,
  feePerTire,
  feeReasons,
  feeReasonText,
  mayTireMove,
  refundTimer,
  returnNumber,
  returnReasonWords,
  returnState,
  returnStateWords,
  type FeeReason,
  type ReturnTireState,
} from '#domain/ordering/returns/returns.ts'
import {
  currentFeeReason,
  labelSheet,
  moneyOfTires,
  previewRefundOfReturn,
  readReturn,
  readReturnFacts,
  selectReturnEvents,
  selectReturnHolds,
  selectReturnPhotos,
  type ReturnEntry,
  type ReturnHold,
  type ReturnTire,
  type ReturnView,
} from '#domain/ordering/returns/returns.server.ts'
import { listOtherStaff } from '#domain/kernel/staff/staff.server.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { REFUND_WITHIN_HOURS } from '#platform/business-constants.ts'
import { pluralForm } from '#platform/count-text.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { clockOf, clockText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { moneyView } from '#app/views/returns.server.ts'

type Deps = Pick<Application, 'db' | 'clock' | 'config'>

/** Returns the return with this id, with the viewer's actions; undefined if it doesn't exist. */
export async function officeReturnView(
  app: Deps,
  id: number,
  { roles, name }: { roles: readonly StaffRole[]; name: string },
) {
  const view = await readReturn(app.db, id)
  const order = view && (await readOrder(app.db, view.orderId))
  if (!view || !order) return undefined
  const now = app.clock.now()
  const customers = customerFieldsFor(roles)
  const [events, holds, photos, others] = [
    await selectReturnEvents(app.db, id),
    await selectReturnHolds(app.db, id),
    await selectReturnPhotos(app.db, id),
    await listOtherStaff(app.db, { name }, 'returns.refund', now),
  ]
  const accepted = view.tires.filter(({ state }) => state === 'accepted')
  const fee = currentFeeReason(view)
  const waiting = view.tires.flatMap(({ state, receivedAt }) =>
    (state === 'received' || state === 'accepted') && receivedAt ? [receivedAt] : [],
  )
  const oldest = waiting.toSorted(Temporal.Instant.compare)[0]
  const rules = checkReturn(await factsAsOf(app, view, order))
  return {
    id: view.id,
    number: returnNumber(view.id),
    state: returnStateWords[returnState(view.tires)],
    order: orderNumber(order.id),
    orderPath: staffCan(roles, 'orders.read') ? officePaths.officeOrder(order.id) : null,
    sent: [...Map.groupBy(view.tires, ({ name }) => name)].map(([name, tires]) => `${tires.length} ${name}`).join(', '),
    customer: {
      name: customers.show(`${order.firstName} ${order.lastName}`),
      phone: customers.isShown ? phoneText(order.phone) : '',
      email: customers.show(order.email),
    },
    reason: returnReasonWords[view.reason],
    note: view.note,
    wants: view.wants,
    requested: timeText(view.requestedAt, order.timeZone),
    received: `${view.tires.filter(({ receivedAt }) => receivedAt !== null).length} of ${view.tires.length}`,
    timer: oldest ? refundTimer(oldest, now) : null,
    clock: oldest ? clockView(view.tires, oldest, now) : null,
    zone: clockOf(order.timeZone, view.requestedAt.toZonedDateTimeISO(order.timeZone).toPlainDate()).zone,
    tires: view.tires.map((tire) => tireView(tire, order.timeZone)),
    labels: customers.isShown ? labelsPath(app, order, view) : null,
    photos: photos.map(({ no, name, by, tireNo, at }) => ({
      path: officePaths.officeReturnPhoto(id, no),
      alt: `${no}: ${name}`,
      note: `${by === 'staff' ? `Ours, of tire ${tireNo}` : 'From the customer'}, ${timeText(at, order.timeZone)}`,
    })),
    rules: rules
      .map(({ title, reason, isMet }) => ({ title, reason, isMet }))
      .toSorted((one, other) => Number(one.isMet) - Number(other.isMet)),
    reorder: view.reorder && { number: orderNumber(view.reorder.id), isCanceled: view.reorder.state === 'canceled' },
    fee,
    feeText: feeReasonText(fee, order.terms),
    fees: feeReasons.map((value) =>
      feeChoice(value, order, { reorderId: view.reorder?.id ?? null, tires: accepted.length }),
    ),
    refunds: await Promise.all(
      feeReasons.map(async (value) => {
        const { refundCents } = await previewRefundOfReturn(app.db, { view, order, feeReason: value })
        const money = { ...moneyOfTires(order, accepted, value), refundCents }
        return { fee: value, cents: refundCents, ...moneyView(money, order, value) }
      }),
    ),
    feeEach: formatCents(feePerTire('due', order.terms)),
    acceptedTires: accepted.map(({ tireNo }) => tireNo),
    refunded: view.refunds.map(({ no, at, refundCents, feeReason, way }) => ({
      no,
      text: `${formatCents(refundCents)} ${wayWords[way]}, ${timeText(at, order.timeZone)}`,
      fee: feeReasonText(feeReason, order.terms),
    })),
    mayReceive: staffCan(roles, 'returns.receive'),
    mayInspect: staffCan(roles, 'returns.inspect'),
    mayRefund: staffCan(roles, 'returns.refund'),
    hold: view.hold && holdView(view.hold, others.length > 0 ? name : null, order.timeZone),
    days: daysOf([...events.map(entryOf), ...holds.flatMap(holdEntries)], order.timeZone),
  }
}

/** `excluded` can't end the hold; null if the viewer is the only person with the permission. */
function holdView({ reason, by, at }: NonNullable<ReturnView['hold']>, excluded: string | null, zone: string) {
  return { reason, by: `${by}, ${timeText(at, zone)}`, isForAnother: by === excluded }
}

/** The address of the labels to print; null before they are bought. */
function labelsPath({ config }: Deps, order: OrderView, view: ReturnView): string | null {
  return labelSheet(config, order, view).labels.length > 0 ? officePaths.officeReturnLabels(view.id) : null
}

export type OfficeReturnView = NonNullable<Awaited<ReturnType<typeof officeReturnView>>>

/** Returns the facts for a return's rules on the day of its request. */
async function factsAsOf(app: Deps, view: ReturnView, order: OrderView): Promise<Parameters<typeof checkReturn>[0]> {
  const facts = await readReturnFacts(app, order, {
    lines: [],
    reason: view.reason,
    isUnmounted: true,
    photos: view.photos,
  })
  return {
    ...facts,
    lines: facts.lines.map((line) => ({ ...line, taken: 0 })),
    asked: [...Map.groupBy(view.tires, ({ lineNo }) => lineNo)].map(([lineNo, tires]) => ({
      lineNo,
      quantity: tires.length,
    })),
    today: view.requestedAt.toZonedDateTimeISO(order.timeZone).toPlainDate(),
    // A return that made its order returned was requested earlier.
    order: { ...facts.order, state: 'confirmed' as const },
  }
}

/** The refund period of the tires that wait longest, in hours. */
function clockView(tires: readonly ReturnTire[], oldest: Temporal.Instant, now: Temporal.Instant) {
  const running = tires.filter(
    ({ state, receivedAt }) => (state === 'received' || state === 'accepted') && receivedAt?.equals(oldest),
  )
  const used = Math.ceil(now.since(oldest).total('hours'))
  const { text, isLate } = refundTimer(oldest, now)
  const numbers = running.map(({ tireNo }) => tireNo)
  return {
    max: REFUND_WITHIN_HOURS,
    used: Math.min(used, REFUND_WITHIN_HOURS),
    title: `${REFUND_WITHIN_HOURS}-hour promise: ${used} h used, ${text} for ${pluralForm(numbers.length, 'tire', 'tires')} ${numbers.join(', ')}.`,
    isLate,
  }
}

const wayWords = {
  card: 'to the card',
  credit: 'as store credit',
  invoice: 'off the invoice',
  'by-hand': 'to settle by hand',
} as const

function feeChoice(
  value: FeeReason,
  { terms }: Pick<OrderView, 'terms'>,
  { reorderId, tires }: { reorderId: number | null; tires: number },
) {
  const detail: Record<FeeReason, string> = {
    due: 'Changed their mind, or no order for the right size',
    reordered:
      reorderId === null
        ? 'Enter the number of the order for the right size'
        : `${orderNumber(reorderId)}, not canceled`,
    'said-to-fit': 'Including when our page said it fits',
    'our-mistake': 'Wrong, damaged, missing or late',
  }
  return {
    value,
    label: feeReasonText(value, terms),
    detail: detail[value],
    amount: formatCents(feePerTire(value, terms) * tires),
  }
}

const tones: Record<ReturnTireState, Tone> = {
  requested: 'plain',
  labeled: 'plain',
  shipped: 'signal',
  received: 'signal',
  accepted: 'go',
  refused: 'stop',
  refunded: 'go',
  canceled: 'plain',
}

function tireView(tire: ReturnTire, zone: string) {
  return {
    no: tire.tireNo,
    name: tire.name,
    state: returnStateWords[tire.state],
    tone: tones[tire.state],
    label: tire.trackingNumber && `${tire.carrier ?? ''} ${tire.trackingNumber}`,
    labelUrl: tire.labelUrl,
    received: tire.receivedAt && timeText(tire.receivedAt, zone),
    finding: tire.finding,
    dot: tire.dot && `DOT ${tire.dot}, ${tire.isDotMatch ? 'matches what was sold' : 'does not match what was sold'}`,
    refusal: tire.refusal,
    shipsBack: tire.shipsBack,
    isArriving: mayTireMove(tire.state, 'received'),
    isWaiting: tire.state === 'received',
  }
}

type Day = { day: string; entries: { kind: string; time: string; tone: Tone; body: string }[] }

type Entry = Omit<Day['entries'][number], 'time'> & { at: Temporal.Instant }

function entryOf({ at, actor, tireNo, from, to, note }: ReturnEntry): Entry {
  const what = from === to ? (note ?? '') : `${returnStateWords[to]}${note ? `. ${note}` : ''}`
  return {
    at,
    kind: actorKind(actor),
    tone: tones[to],
    body: `Tire ${tireNo}: ${what}${actor.includes('@') ? ` (${actor})` : ''}`,
  }
}

function actorKind(actor: string): string {
  if (actor === 'carrier') return 'Carrier'
  if (actor === 'shopper' || actor === 'program') return 'Customer'
  return actor === 'store' ? 'Store' : 'Staff'
}

function holdEntries({ reason, by, at, released }: ReturnHold): Entry[] {
  const held: Entry = { at, kind: 'Staff', tone: 'signal', body: `Held for a second look: ${reason} (${by})` }
  return released
    ? [{ at: released.at, kind: 'Staff', tone: 'go', body: `Hold ended: ${released.result} (${released.by})` }, held]
    : [held]
}

/** Groups entries by day, newest first. */
function daysOf(entries: readonly Entry[], zone: string): Day[] {
  const sorted = entries.toSorted((one, other) => Temporal.Instant.compare(other.at, one.at))
  const byDay = Map.groupBy(sorted, ({ at }) => dayText(at.toZonedDateTimeISO(zone)))
  return [...byDay].map(([day, ofDay]) => ({
    day,
    entries: ofDay.map(({ at, ...entry }) => ({ ...entry, time: clockText(at, zone) })),
  }))
}
