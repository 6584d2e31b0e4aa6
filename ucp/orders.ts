/** Orders from agents' checkouts as whole snapshots, visible only to the checkout's platform. */
import { envelope, notFound, type UcpAnswer } from '#ucp/answers.ts'
import type { UcpContext } from '#ucp/context.ts'
import { ownSession } from '#ucp/linking.ts'
import { extensionVersions, speaksAppointment } from '#ucp/extensions.ts'
import { totalsOf } from '#ucp/totals.ts'
import { paths } from '#content/paths.ts'
import type { AgentSession } from '#domain/channels/agents/agents.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { readOrder as readOwnOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { installationState } from '#domain/ordering/orders/orders.ts'
import type { Application } from '#application'

/** Visitors enter the order number and its ZIP code there. */
export const orderPermalink = ({ config }: Pick<Application, 'config'>): string =>
  config.web.origin + paths.trackOrder()

export async function readOrder(context: UcpContext, id: string): Promise<UcpAnswer> {
  const { app } = context
  const session = await ownSession(context, { id, kind: 'checkout' })
  const order = session && (await orderOf(app, session))
  if (!session || !order) return notFound(context, 'order')
  const ucp = envelope(context, extensionVersions(context))
  return { status: 200, body: { ucp, ...orderSnapshot(app, session, order, speaksAppointment(context)) } }
}

/** Returns the session's order. Returns undefined if not found. */
export async function orderOf(app: Application, session: AgentSession): Promise<OrderView | undefined> {
  const cart = await readCart(app, session.cartId)
  return cart?.orderId == null ? undefined : readOwnOrder(app.db, cart.orderId)
}

/**
 * Returns an order without the buyer's contact details and address. The platform has its own data, but not the data
 * that the buyer gave only to us.
 */
export function orderSnapshot(
  app: Application,
  session: AgentSession,
  order: OrderView,
  withAppointment: boolean,
): Record<string, unknown> {
  const tires = order.lines.filter(({ kind }) => kind === 'tire')
  return {
    id: session.id,
    label: orderNumber(order.id),
    checkout_id: session.id,
    permalink_url: orderPermalink(app),
    currency: 'USD',
    line_items: tires.map((line) => lineView(order, line)),
    fulfillment: { expectations: [expectationOf(session, order, tires)], events: eventsOf(order, tires) },
    adjustments: adjustmentsOf(order),
    totals: totalsOf(order.breakdown),
    ...(withAppointment && order.booking && { appointment: appointmentOf(order) }),
  }
}

type Line = OrderView['lines'][number]
const idOf = ({ itemId, axle }: Line): string => `${itemId}-${axle ?? 'all'}`

function lineView(order: OrderView, line: Line): object {
  const total = order.state === 'canceled' ? 0 : line.quantity - line.canceled
  const delivered = order.shipments
    .filter(({ state }) => state === 'delivered')
    .flatMap(({ items }) => items)
    .reduce((sum, { lineNo, quantity }) => sum + (lineNo === line.lineNo ? quantity : 0), 0)
  const fulfilled = Math.min(delivered, total)
  const amount = line.unitCents * line.quantity
  return {
    id: idOf(line),
    item: { id: String(line.itemId), title: line.description, price: line.unitCents },
    quantity: { original: line.quantity, total, fulfilled },
    totals: [
      { type: 'subtotal', amount },
      { type: 'total', amount },
    ],
    status: total === 0 ? 'removed' : fulfilled === total ? 'fulfilled' : fulfilled > 0 ? 'partial' : 'processing',
  }
}

const methodTypes = {
  shop: 'installation',
  mobile: 'home_installation',
  home: 'shipping',
  'carrier-pickup': 'pickup',
  'warehouse-pickup': 'pickup',
} as const

/** The older release doesn't allow custom types, so installation maps to pickup or shipping. */
const olderTypes = { ...methodTypes, shop: 'pickup', mobile: 'shipping' } as const

function expectationOf({ version }: AgentSession, order: OrderView, tires: readonly Line[]): object {
  const { shop, booking, fulfillment } = order
  return {
    id: 'expectation-1',
    line_items: tires.map((line) => ({ id: idOf(line), quantity: line.quantity })),
    method_type: (version === '2026-04-08' ? olderTypes : methodTypes)[fulfillment],
    // The buyer's address is private; a shop's is public.
    destination:
      shop && fulfillment === 'shop'
        ? {
            street_address: shop.street,
            address_locality: shop.city,
            address_region: shop.state,
            postal_code: shop.zip,
            address_country: 'US',
          }
        : { address_region: order.address.state, address_country: 'US' },
    ...(booking && installationState(order) === 'booked' && { fulfillable_on: booking.start.toString() }),
  }
}

const eventTypes: Readonly<Record<string, string>> = {
  'pending-pickup': 'shipped',
  'in-transit': 'in_transit',
  delivered: 'delivered',
  returned: 'returned_to_sender',
  canceled: 'canceled',
}

/** What happened to each parcel, with the tires it carries. */
function eventsOf(order: OrderView, tires: readonly Line[]): object[] {
  return order.shipments.flatMap(({ id, events, items, trackingNumber, carrier }) => {
    const carried = items.flatMap(({ lineNo, quantity }) => {
      const line = tires.find((each) => each.lineNo === lineNo)
      return line ? [{ id: idOf(line), quantity }] : []
    })
    return events.flatMap(({ at, state, note }, index) => {
      const type = eventTypes[state]
      if (type === undefined) return []
      return [
        {
          id: `${id}-${index + 1}`,
          occurred_at: at.toString(),
          type,
          line_items: carried,
          ...(trackingNumber !== null && { tracking_number: trackingNumber }),
          ...(carrier !== null && { carrier }),
          ...(note !== null && { description: note }),
        },
      ]
    })
  })
}

function adjustmentsOf({ state, payment, placedAt, releasedAt }: OrderView): object[] {
  const at = (releasedAt ?? placedAt).toString()
  const canceled =
    state === 'canceled' ? [{ id: 'cancellation', type: 'cancellation', occurred_at: at, status: 'completed' }] : []
  const refunded = payment?.refundedCents ?? 0
  return refunded === 0
    ? canceled
    : [
        ...canceled,
        {
          id: `refund-${refunded}`,
          type: 'refund',
          occurred_at: at,
          status: 'completed',
          totals: [{ type: 'total', amount: -refunded }],
        },
      ]
}

function appointmentOf({ booking, shop, timeZone }: OrderView): object | undefined {
  if (!booking) return undefined
  const { id, start, end, kind, state } = booking
  return {
    shop: shop?.code,
    status: state,
    slot: { id, start: start.toString(), end: end.toString(), timezone: timeZone, kind },
  }
}
