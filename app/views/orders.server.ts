/** Shared by the pages after checkout, with access levels and an order's display. */
import { pictureOfItem } from '#app/views/tire-picture.server.ts'
import type { RouterContextProvider } from 'react-router'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { measure, orderSeen } from '#app/server/measure.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { StepperStep } from '#app/ui/order-timeline.tsx'
import { creditRows, summaryRows, type SummaryRow } from '#app/ui/order-summary.tsx'
import { fitToneOf, levelTones } from '#app/ui/fit-tone.ts'
import type { FitTone } from '#app/ui/tire-facts.tsx'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import { consequenceOf, paymentText } from '#app/views/order-payment-text.ts'
import { appointmentView, type AppointmentView } from '#app/views/order-appointment.server.ts'
import { timelineOf } from '#app/views/order-progress.server.ts'
import {
  canCancel,
  cityLine,
  confirmationReasons,
  clockText,
  lastToCancel,
  pickupLines,
  serviceText,
  storageText,
  timeText,
  vehicleText,
} from '#domain/ordering/orders/orders.ts'
import { changedText, selectDoneChanges } from '#domain/ordering/order-changes/order-changes.server.ts'
import {
  cancelOrder,
  opensOrder,
  orderAccessOf,
  readOrder,
  readyCodeOf,
  receiptKey,
  showsOrder,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import { positionName, tinText } from '#domain/installer-portal/work-orders/work-orders.ts'
import { readRecallsOfOrder, selectTiresOfOrder } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { leftOut } from '#domain/pricing/pricing/pricing.ts'
import { pluralForm } from '#platform/count-text.ts'
import type { Application } from '#application'

/** `own`: everything. `read`: everything, but no actions. `status`: its progress only, and no personal data. */
export type OrderAccess = 'own' | 'read' | 'status'

export type OwnOrderView = {
  firstName: string
  email: string
  steps: StepperStep[]
  appointment: AppointmentView | null
  shipTo: string[]
  /** Pickup location, hours and instructions; empty for delivered tires. */
  pickup: string[]
  vehicle: string | null
  verdict: { tone: FitTone; headline: string }[]
  /** `review` links to reviewing tires that have arrived. */
  tires: { text: string; picture: PictureRef; review: string | null }[]
  /** The parts that are packed with them, such as "4 Halden Sense 433". */
  parts: string[]
  rows: SummaryRow[]
  /** The offers that did not count, in words. */
  leftOut: string[]
  /** The heading above the amounts, since a canceled order isn't paid. */
  amounts: string
  payment: string
  /** The tires on the car, once they are mounted and registered. */
  registered: { position: string; tire: string; tin: string }[]
  /** A recall the buyer was notified of, with the link to answer. */
  recall: { words: string; path: string } | null
  /** The effect of destination edits on the amounts. */
  changes: { id: string; text: string }[]
  poNumber: string | null
  /** The order at Resolve, for one on its net terms. */
  loanId: string | null
  receipt: string
  /** What a shop that installs the tires prints; null without one. */
  workOrder: string | null
  track: string
  /** The confirmation requested from the shopper. Null if it isn't required. */
  confirm: ConfirmView | null
  /** Null if the order can no longer be canceled at all. */
  cancel: { can: true; until: string; consequence: string; terms: string } | { can: false; reason: string } | null
  /** The service without tires, such as "Flat repair"; null for tires. */
  service: string | null
  /** The storage of the removed set, for a service that includes it. */
  storage: string | null
}

/**
 * An order pending the shopper's confirmation, with reasons, deadline, and link. `action` is missing for read-only
 * viewers.
 */
export type ConfirmView = { reasons: string[]; until: string; action: string | null }

type FoundOrder = { app: Application; order: OrderView; access: OrderAccess; key: string | undefined }

/**
 * Returns the order an address refers to (`?order=` with `key` from an email or `look` from an order lookup, the
 * browser that placed it or opened it with an emailed code, its account, or the company it was placed for), as far as
 * the visitor may see it; undefined without such access, whether or not the order exists.
 */
export async function findOrder(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<FoundOrder | undefined> {
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const { secret } = app.config.session
  const now = app.clock.now()
  const key = query.get('key')
  const isKeyRight = opensOrder(secret, key, orderId, now)
  const isOwn =
    isKeyRight ||
    visitor.orderIds.includes(orderId) ||
    visitor.orderKeys.some((kept) => opensOrder(secret, kept, orderId, now))
  const access = isOwn
    ? 'own'
    : ((await accessOfAccount(context, orderId)) ??
      (showsOrder(secret, query.get('look'), orderId, now) ? 'status' : undefined))
  const order = access && (await readOrder(app.db, orderId))
  return access && order && { app, order, access, key: isKeyRight && key ? key : undefined }
}

/** The same, or a 404 that does not disclose whether the order exists. */
export async function requireOrder(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<FoundOrder> {
  const found = await findOrder(context, orderId, query)
  if (!found) throw new Response(null, { status: 404 })
  return found
}

/**
 * The same for a page opened from a bookmark, another browser or a shortened link. Visitors without access are
 * redirected to the order lookup, whether or not the order exists.
 */
export async function openOrderPage(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<FoundOrder> {
  const found = await findOrder(context, orderId, query)
  if (!found) throw toLookUp()
  return found
}

/** The same, for pages that show everything. */
export async function openOwnOrderPage(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<{ app: Application; order: OrderView; access: 'own' | 'read'; key: string | undefined }> {
  const { access, ...found } = await openOrderPage(context, orderId, query)
  if (access === 'status') throw toLookUp()
  return { ...found, access }
}

/** Redirects to the order lookup page with an explanation. */
export function toLookUp(): Response {
  return seeOther(paths.trackOrder({ order: 'locked' }))
}

/** Whether this browser placed the order, or its account may act for it. */
export async function isOwnOrder(context: Readonly<RouterContextProvider>, orderId: number): Promise<boolean> {
  return context.get(visitorContext).orderIds.includes(orderId) || (await accessOfAccount(context, orderId)) === 'own'
}

async function accessOfAccount(
  context: Readonly<RouterContextProvider>,
  orderId: number,
): Promise<'own' | 'read' | undefined> {
  const signedIn = await context.get(signedInContext)()
  return signedIn && orderAccessOf(context.get(applicationContext), signedIn.accountId, orderId)
}

/** The same, for pages that show everything. */
export async function requireOwnOrder(
  context: Readonly<RouterContextProvider>,
  orderId: number,
  query: URLSearchParams,
): Promise<{ app: Application; order: OrderView; access: 'own' | 'read'; key: string | undefined }> {
  const { access, ...found } = await requireOrder(context, orderId, query)
  if (access === 'status') throw new Response(null, { status: 404 })
  return { ...found, access }
}

/** Parses the order number in an address; returns 0, which no order has, if it is invalid. */
export function orderIdOf(text: string | null | undefined): number {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : 0
}

/**
 * Cancels the order the address refers to and shows the page again, or returns the reason it can no longer be canceled.
 */
export async function cancelFromPage(
  context: Readonly<RouterContextProvider>,
  url: URL,
): Promise<Response | { reason: string }> {
  const { app, order, access } = await requireOwnOrder(
    context,
    orderIdOf(url.searchParams.get('order')),
    url.searchParams,
  )
  if (access === 'read') throw new Response(null, { status: 403 })
  const canceled = await cancelOrder(app, { orderId: order.id, actor: 'shopper' })
  if (canceled.ok) measure(context, () => orderSeen('refund', order))
  if (canceled.ok) return seeOther(url.pathname + url.search)
  if (canceled.reason === 'order-not-found') throw new Response(null, { status: 404 })
  return { reason: canceled.detail.reason }
}

/**
 * Returns all order data for its owner. `key` is added to links if it opened the page; a read-only viewer gets no
 * actions.
 */
export async function ownOrderView(
  app: Pick<Application, 'config' | 'clock' | 'catalog' | 'db'>,
  { order, access, key }: { order: OrderView; access: 'own' | 'read'; key: string | undefined },
): Promise<OwnOrderView> {
  const zone = order.timeZone
  const isWaiting = order.state === 'needs-confirmation'
  const until = isWaiting ? timeText(order.cancelUntil, zone) : clockText(order.cancelUntil, zone)
  const cancellation =
    access === 'read' || order.state === 'canceled' || order.state === 'returned'
      ? null
      : canCancel(order, app.clock.now())
  return {
    firstName: order.firstName,
    email: order.email,
    steps: timelineOf(order, zone),
    appointment: appointmentView(app, { order, access, key }),
    pickup: pickupLines(order, access === 'own' ? readyCodeOf(app.config.session.secret, order) : null),
    shipTo: [order.shipTo.name, order.shipTo.street, cityLine(order.shipTo)],
    vehicle: vehicleText(order),
    verdict:
      order.verdict?.sets.map(({ headline, verdict = order.verdict?.verdict ?? 'unknown', conditions = [] }) => ({
        tone: conditions.length > 0 ? fitToneOf({ verdict, conditions }) : levelTones[verdict],
        headline,
      })) ?? [],
    tires: await tiresOf(app, order, key),
    parts: order.lines.filter(({ kind }) => kind === 'part').map(orderedText),
    service: serviceText(order),
    storage: storageText(order),
    rows: [
      ...summaryRows(order.breakdown.explain),
      ...creditRows(order.creditCents, order.totalCents - order.creditCents),
    ],
    leftOut: leftOut(order.breakdown),
    amounts: order.state === 'canceled' ? 'What it would have been' : 'What you pay',
    payment: paymentText(order, until),
    ...(await registeredTires(app, order.id, key)),
    changes: (await selectDoneChanges(app.db, order.id)).map((change) => ({
      id: change.id,
      text: changedText(change, zone),
    })),
    poNumber: order.billing.poNumber,
    loanId: order.payment?.loanId ?? null,
    receipt: paths.receipt(
      order.id,
      order.customerId,
      // A visitor with only an email's key gets a short-lived receipt URL.
      key && receiptKey(app.config.session.secret, order.id, app.clock.now()),
    ),
    workOrder: order.shop ? paths.workOrder(order.id, key) : null,
    track: paths.trackResult(order.id, { key }),
    confirm: confirmView({ order, access, key }),
    cancel: cancellation && cancelView(order, cancellation, until),
  }
}

function cancelView(
  order: OrderView,
  cancellation: ReturnType<typeof canCancel>,
  until: string,
): NonNullable<OwnOrderView['cancel']> {
  if (!cancellation.can) return cancellation
  const last = order.isService ? timeText(lastToCancel(order), order.timeZone) : until
  return { can: true, until: last, ...consequenceOf(order) }
}

/** Reads the installed tires, and those under a recall the buyer was notified of. */
async function registeredTires(
  { db }: Pick<Application, 'db'>,
  orderId: number,
  key: string | undefined,
): Promise<Pick<OwnOrderView, 'registered' | 'recall'>> {
  const [tires, recalls] = [await selectTiresOfOrder(db, orderId), await readRecallsOfOrder(db, orderId)]
  const [first] = recalls.values()
  return {
    registered: tires.map(({ position, brand, line, size, tin }) => ({
      position: positionName(position),
      tire: `${brand} ${line} ${size}`,
      tin: tinText(tin),
    })),
    recall: first?.[0]
      ? {
          words: `Safety recall: ${first[0].maker} recalls ${pluralForm(first.length, 'one of these tires', 'these tires')}. The remedy is free.`,
          path: serverPaths.orderRecall(orderId, key),
        }
      : null,
  }
}

/** Returns the confirmation request; `key` is added to the URL if it opened the page. */
function confirmView({
  order: { id, state, confirmBy, confirmationRules, timeZone },
  access,
  key,
}: {
  order: OrderView
  access: 'own' | 'read'
  key: string | undefined
}): ConfirmView | null {
  if (state !== 'needs-confirmation' || confirmBy === null) return null
  return {
    reasons: confirmationReasons(confirmationRules, 'shopper'),
    until: timeText(confirmBy, timeZone),
    action: access === 'own' ? paths.confirmOrder(id, key) : null,
  }
}

/** "4 Halden Sense 433, 1 canceled" */
function orderedText({
  quantity,
  canceled,
  description,
}: Pick<OrderView['lines'][number], 'quantity' | 'canceled' | 'description'>): string {
  return canceled === 0 ? `${quantity} ${description}` : `${quantity} ${description}, ${canceled} canceled`
}

async function tiresOf(
  { catalog }: Pick<Application, 'catalog'>,
  order: OrderView,
  key: string | undefined,
): Promise<OwnOrderView['tires']> {
  const isThere = order.shipments.some(({ deliveredAt }) => deliveredAt !== null)
  const lines = order.lines.flatMap(({ itemId, quantity, canceled, description, line }) =>
    itemId === null
      ? []
      : [
          {
            itemId,
            text: orderedText({ quantity, canceled, description }),
            review: isThere && line ? paths.writeReview(line.brandSlug, line.slug, { order: order.id, key }) : null,
          },
        ],
  )
  return Promise.all(
    lines.map(async ({ itemId, ...line }) => ({ ...line, picture: await pictureOfItem(catalog, itemId) })),
  )
}
