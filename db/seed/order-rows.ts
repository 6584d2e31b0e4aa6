/** The rows of sample orders: what placing, paying, shipping and installing would have written. */
import { parseArticleId, priceOffer } from '#domain/offers/offers.ts'
import type { JsonObject } from '#db/types.ts'
import { lineName, type PriceBreakdown } from '#domain/pricing/pricing.ts'
import { entriesOfSale, reversed, type Entry } from '#domain/ledger/ledger.server.ts'
import type { Row } from './insert.ts'
import { milesBetween, type Place } from './places.ts'
import { randomStream, type Random } from './random.ts'
import type { Story } from './sample-orders.ts'
import { streetAddress } from './shop-names.ts'
import { warehouses } from './warehouses.ts'

type Tables =
  | 'customer'
  | 'cart'
  | 'sales_order'
  | 'order_line'
  | 'order_event'
  | 'stock_allocation'
  | 'shipment'
  | 'shipment_event'
  | 'payment'
  | 'payment_event'
  | 'ledger_entry'
  | 'booking'
  | 'booking_event'
export type OrderRows = { [Table in Tables]: Row<Table>[] }

/** In the order in which they can be inserted. */
export const orderTables: readonly Tables[] = [
  'customer',
  'cart',
  'sales_order',
  'order_line',
  'order_event',
  'stock_allocation',
  'shipment',
  'shipment_event',
  'payment',
  'payment_event',
  'ledger_entry',
  'booking',
  'booking_event',
]

/** `homes` are the places that people without a shop have their tires sent to. */
export function rowsOfOrders(stories: readonly Story[], homes: readonly Place[], now: Temporal.Instant): OrderRows {
  const rows = Object.fromEntries(orderTables.map((table) => [table, [] as unknown[]])) as unknown as OrderRows
  for (const story of stories) addOrder(rows, story, homes, now)
  return rows
}

function addOrder(rows: OrderRows, story: Story, homes: readonly Place[], now: Temporal.Instant): void {
  const random = randomStream(`order ${story.id}`)
  const { id, shop, slot, ending, placedAt } = story
  const home = random.pick(homes)
  const address = shop ? { city: shop.city, state: shop.state, zip: shop.zip } : { city: home.city, state: home.state, zip: home.zip }
  const street = streetAddress(random)
  const breakdown = priceOf(story, address.state)
  const { totals } = breakdown
  const name = `${story.firstName} ${story.lastName}`
  const email = `${story.firstName}.${story.lastName}.${id}@example.com`.toLowerCase()
  const phone = `${random.between(212, 989)}55501${String(random.between(0, 99)).padStart(2, '0')}`
  const [customerId, cartId, shipmentId, paymentId] = [uuid(random), uuid(random), uuid(random), uuid(random)]
  const isCancelled = ending === 'cancelled'
  const cancelledAt = placedAt.add({ minutes: random.between(4, 28) })
  rows.customer.push({ id: customerId, email, created_at: placedAt })
  rows.cart.push({
    id: cartId,
    state: 'ordered',
    version: 6,
    zip: address.zip,
    vehicle: null,
    fulfilment: fulfilmentOf(story),
    shop_id: shop?.id ?? null,
    created_at: placedAt.subtract({ minutes: 14 }),
    updated_at: placedAt,
  })
  const state = isCancelled ? 'cancelled' : ending === 'returned' ? 'returned' : ending === 'unconfirmed' ? 'needs-confirmation' : 'confirmed'
  rows.sales_order.push({
    id,
    customer_id: customerId,
    cart_id: cartId,
    state,
    placed_at: placedAt,
    cancel_until: placedAt.add({ minutes: 30 }),
    released_at: isCancelled || ending === 'unconfirmed' ? null : placedAt.add({ minutes: 30 }),
    fulfilment: fulfilmentOf(story),
    shop_id: shop?.id ?? null,
    first_name: story.firstName,
    last_name: story.lastName,
    address1: street,
    city: address.city,
    state_code: address.state,
    zip: address.zip,
    email,
    phone,
    phone_type: 'mobile',
    ship_to_name: shop?.name ?? name,
    ship_to_street: shop?.street ?? street,
    ship_to_city: address.city,
    ship_to_state: address.state,
    ship_to_zip: address.zip,
    vehicle: vehicleOf(story),
    billing: {
      sameAsShipping: true,
      name,
      address1: street,
      address2: null,
      city: address.city,
      state: address.state,
      zip: address.zip,
      phone,
      phoneType: 'mobile',
      poNumber: null,
    },
    // Plain data all through, which its type does not say.
    breakdown: breakdown as unknown as JsonObject,
    terms_accepted_at: placedAt,
    tire_fee_cents: totals.tireFeeCents,
    fet_cents: totals.fetCents,
    tax_cents: totals.taxCents,
    total_cents: totals.totalCents,
  })
  rows.order_event.push({ order_id: id, at: placedAt, from_state: null, to_state: state === 'needs-confirmation' ? state : 'confirmed', actor: 'shopper' })
  const goodsBack = placedAt.add({ hours: 130 })
  if (isCancelled) rows.order_event.push({ order_id: id, at: cancelledAt, from_state: 'confirmed', to_state: 'cancelled', actor: 'shopper' })
  if (ending === 'returned') rows.order_event.push({ order_id: id, at: goodsBack, from_state: 'confirmed', to_state: 'returned', actor: 'store' })
  addLines(rows, story, breakdown)
  const warehouse = warehouses.toSorted((a, b) => milesBetween(a, shop ?? home) - milesBetween(b, shop ?? home))[0]
  const tireLine = breakdown.lines.findIndex((line) => line.kind === 'tire') + 1
  rows.stock_allocation.push({ order_id: id, line_no: tireLine, warehouse_id: warehouse?.id ?? 1, quantity: 4 })
  addShipment(rows, story, { id: shipmentId, warehouseId: warehouse?.id ?? 1, cancelledAt, goodsBack, now }, random)
  addMoney(rows, story, { paymentId, cartId, breakdown, cancelledAt, goodsBack })
  if (slot && shop) addBooking(rows, story, { cartId, cancelledAt }, random)
}

function fulfilmentOf({ shop }: Story): 'shop' | 'mobile' | 'home' {
  return shop === null ? 'home' : shop.kind === 'van' ? 'mobile' : 'shop'
}

function priceOf({ item, itemName, size, installation, shop, placedAt }: Story, stateCode: string): PriceBreakdown {
  const tires = {
    itemId: item.id,
    name: itemName,
    quantity: 4,
    unitCents: item.retail_cents,
    fetUnitCents: Number(item.fet_cents),
    weightLb: item.weight_lb,
    coveredQuantity: 0,
    spec: { rimIn: size.rim, aspect: size.aspect, runFlat: false, sizeKind: size.kind },
    promotions: [],
  }
  return priceOffer(
    [tires],
    { stateCode, installation, shopName: shop?.name ?? null, shippingCents: 0, shippingTo: shop ? 'shop' : 'address' },
    placedAt.toZonedDateTimeISO(shop?.time_zone ?? 'America/New_York').toPlainDate(),
  )
}

/** The choice as a cart keeps it, see chosen-vehicle.ts. */
function vehicleOf({ vehicle, fitment }: Story): JsonObject {
  const { id, year, make, model, trim, make_slug, model_slug } = vehicle
  return {
    vehicleId: id,
    fitmentId: fitment.id,
    year,
    makeSlug: make_slug,
    modelSlug: model_slug,
    name: `${year} ${make} ${model} ${trim}`,
    confirmed: true,
    label: null,
  }
}

function addLines(rows: OrderRows, { id }: Story, breakdown: PriceBreakdown): void {
  for (const [index, line] of breakdown.lines.entries()) {
    const isTire = line.kind === 'tire' && line.articleId !== null
    rows.order_line.push({
      order_id: id,
      line_no: index + 1,
      kind: line.kind,
      item_id: isTire ? parseArticleId(line.articleId) : null,
      axle: isTire ? 'all' : null,
      description: lineName(line),
      quantity: line.quantity,
      unit_cents: line.unitCents,
      gross_cents: line.grossCents,
      discount_cents: line.grossCents - line.netCents,
      net_cents: line.netCents,
      tax_cents: line.taxCents,
      fet_cents: line.fetCents,
      tire_fee_cents: line.tireFeeCents,
    })
  }
}

/** Hours after the order: label, pickup, delivery. */
const road = [
  { state: 'pending-pickup', after: 5, actor: 'store' },
  { state: 'in-transit', after: 22, actor: 'carrier' },
  { state: 'delivered', after: 58, actor: 'carrier' },
] as const

function addShipment(
  rows: OrderRows,
  { id, ending, placedAt }: Story,
  parts: { id: string; warehouseId: number; cancelledAt: Temporal.Instant; goodsBack: Temporal.Instant; now: Temporal.Instant },
  random: Random,
): void {
  const events: { at: Temporal.Instant; to: string; actor: string }[] = [{ at: placedAt, to: 'processed', actor: 'store' }]
  if (ending === 'cancelled') events.push({ at: parts.cancelledAt, to: 'cancelled', actor: 'store' })
  else if (ending !== 'unconfirmed') {
    for (const { state, after, actor } of road) {
      const at = placedAt.add({ hours: after, minutes: random.between(0, 59) })
      if (Temporal.Instant.compare(at, parts.now) < 0) events.push({ at, to: state, actor })
    }
    if (ending === 'returned') events.push({ at: parts.goodsBack, to: 'returned', actor: 'carrier' })
  }
  const state = events.at(-1)?.to ?? 'processed'
  const delivered = events.find((event) => event.to === 'delivered')
  const isLabelled = !['processed', 'cancelled'].includes(state)
  rows.shipment.push({
    id: parts.id,
    order_id: id,
    warehouse_id: parts.warehouseId,
    state,
    carrier: isLabelled ? 'Sandbox Freight' : null,
    tracking_number: isLabelled ? `SMP${id}${String(random.between(0, 9999)).padStart(4, '0')}` : null,
    promised_on: placedAt.add({ hours: 72 }).toZonedDateTimeISO('UTC').toPlainDate().toString(),
    delivered_at: delivered?.at ?? null,
    created_at: placedAt,
  })
  for (const [index, event] of events.entries())
    rows.shipment_event.push({ shipment_id: parts.id, at: event.at, from_state: events[index - 1]?.to ?? null, to_state: event.to, actor: event.actor })
}

/** The charge and its double entries; cancelled orders were never charged, returned ones are paid back, incomplete ones not yet. */
function addMoney(
  rows: OrderRows,
  { id, ending, placedAt }: Story,
  parts: { paymentId: string; cartId: string; breakdown: PriceBreakdown; cancelledAt: Temporal.Instant; goodsBack: Temporal.Instant },
): void {
  const { totals } = parts.breakdown
  const total = totals.totalCents
  const capturedAt = placedAt.add({ minutes: 30 })
  const state = ending === 'cancelled' ? 'voided' : ending === 'unconfirmed' ? 'authorized' : 'captured'
  const lastAt = state === 'captured' ? capturedAt : state === 'voided' ? parts.cancelledAt : placedAt
  rows.payment.push({
    id: parts.paymentId,
    cart_id: parts.cartId,
    order_id: id,
    provider: 'stripe',
    provider_ref: `pi_sample_${id}`,
    flow: 'fields',
    amount_cents: total,
    captured_cents: state === 'captured' ? total : 0,
    refunded_cents: ending === 'returned' ? total : 0,
    state,
    created_at: placedAt.subtract({ minutes: 2 }),
    updated_at: lastAt,
  })
  const event = (at: Temporal.Instant, from_state: string | null, to_state: string): void =>
    void rows.payment_event.push({ payment_id: parts.paymentId, at, from_state, to_state, actor: from_state === null ? 'shopper' : 'store' })
  event(placedAt.subtract({ minutes: 2 }), null, 'authorized')
  if (state !== 'authorized') event(lastAt, 'authorized', state)
  const transfer = (reason: string, at: Temporal.Instant, entries: readonly Entry[]): void => {
    const transferId = uuid(randomStream(`transfer ${id} ${reason}`))
    for (const entry of entries)
      if (entry.cents !== 0) rows.ledger_entry.push({ transfer_id: transferId, order_id: id, account: entry.account, amount_cents: entry.cents, reason, at })
  }
  const sale = entriesOfSale(totals)
  transfer('order placed', placedAt, sale)
  if (state === 'voided') transfer('order cancelled', parts.cancelledAt, reversed(sale))
  if (state === 'captured')
    transfer('charge captured', capturedAt, [
      { account: 'cash', cents: total },
      { account: 'receivable', cents: -total },
    ])
  if (ending === 'returned')
    transfer('order returned', parts.goodsBack, [
      { account: 'refunds', cents: total },
      { account: 'cash', cents: -total },
    ])
}

function addBooking(
  rows: OrderRows,
  { id, shop, slot, ending, placedAt }: Story,
  parts: { cartId: string; cancelledAt: Temporal.Instant },
  random: Random,
): void {
  if (!slot || !shop) return
  const bookingId = uuid(random)
  const state = ending === 'open' ? 'confirmed' : ending
  rows.booking.push({
    id: bookingId,
    shop_id: shop.id,
    bay_id: slot.bayId,
    kind: slot.kind,
    during: `[${slot.start.toInstant()},${slot.end.toInstant()})`,
    drop_off_window: slot.window,
    drop_off_code: slot.window && `${slot.start.toPlainDate().toString().replaceAll('-', '')}-${slot.window}`,
    state,
    cart_id: parts.cartId,
    order_id: id,
    created_at: placedAt.subtract({ minutes: 8 }),
  })
  const event = (at: Temporal.Instant, from_state: string | null, to_state: string, actor: string): void =>
    void rows.booking_event.push({ booking_id: bookingId, at, from_state, to_state, actor })
  event(placedAt.subtract({ minutes: 8 }), null, 'held', 'customer')
  event(placedAt, 'held', 'confirmed', 'customer')
  if (state === 'cancelled') event(parts.cancelledAt, 'confirmed', state, 'customer')
  if (state === 'done' || state === 'no-show') event(slot.end.toInstant(), 'confirmed', state, 'shop')
}

/** A key of the right form (version 4) from a stream, so that it is the same on every machine. */
function uuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16))
  hex[12] = '4'
  hex[16] = '8'
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
