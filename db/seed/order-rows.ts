/** The rows of sample orders, as placing, paying, shipping and installing would have written them. Over 400 lines: one row type each. */
import type { JsonObject } from '#db/types.ts'
import { parseArticleId, priceOffer } from '#domain/catalog/offers/offers.ts'
import { confirmWithinHours } from '#domain/ordering/orders/orders.ts'
import { lineName, type PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import { accountPrice } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { Row } from '#db/insert-rows.ts'
import type { Place } from '#db/reference/zips.ts'
import { addMoney, addReferral } from './order-money.ts'
import { randomStream, uuid, type Random } from './random.ts'
import { endedAt, type Ending, type Story } from './sample-orders.ts'
import { addReturn, returnStaff, returnTimes } from './returned-orders.ts'
import { journeyTo, type Journey } from './sample-shipping.ts'
import { streetAddress } from './shop-names.ts'
import { slugOfSize } from './sizes.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'

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
  | 'invoice'
  | 'invoice_payment'
  | 'referral'
  | 'ledger_entry'
  | 'booking'
  | 'booking_event'
  | 'order_refund'
  | 'order_refund_line'
  | 'concession'
  | 'charge_refund'
export type OrderRows = { [Table in Tables]: Row<Table>[] }

/** In insertion order. */
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
  'invoice',
  'invoice_payment',
  'referral',
  'ledger_entry',
  'booking',
  'booking_event',
  'order_refund',
  'order_refund_line',
  'concession',
  'charge_refund',
]

/** `homes` are the delivery places for orders without a shop. */
export function rowsOfOrders(stories: readonly Story[], homes: readonly Place[], now: Temporal.Instant): OrderRows {
  const rows = Object.fromEntries(orderTables.map((table) => [table, [] as unknown[]])) as unknown as OrderRows
  for (const story of stories) addOrder(rows, story, homes, now)
  return rows
}

function addOrder(rows: OrderRows, story: Story, homes: readonly Place[], now: Temporal.Instant): void {
  const random = randomStream(`order ${story.id}`)
  const { id, shop, placedAt, buyer, referral, ending } = story
  const recipient = recipientOf(story, homes, random)
  const { email } = recipient
  const breakdown = priceOf(story, recipient.state)
  const known = buyer && rows.customer.find((customer) => customer.email === email)
  const [customerId, cartId, shipmentId, paymentId] = [
    known?.id ?? uuid(random),
    uuid(random),
    uuid(random),
    uuid(random),
  ]
  const goal = shop ?? recipient.home
  const journey = journeyTo(goal, placedAt, story.parcel)
  const turns = { canceledAt: placedAt.add({ minutes: random.between(4, 28) }), journey, now }
  const { name, phone, city, state: state_code, zip } = recipient
  const latest = { name, phone, city, state_code, zip, active_at: placedAt }
  if (!known) rows.customer.push({ id: customerId, email, created_at: placedAt, ...latest })
  else if (Temporal.Instant.compare(placedAt, Temporal.Instant.from(String(known.active_at))) > 0)
    Object.assign(known, latest)
  rows.cart.push(cartOf(story, cartId, recipient))
  rows.sales_order.push(orderOf(story, { customerId, cartId }, recipient, breakdown))
  addOrderEvents(rows, story, turns)
  addLines(rows, story, breakdown)
  const tireLine = breakdown.lines.findIndex((line) => line.kind === 'tire') + 1
  rows.stock_allocation.push({ order_id: id, line_no: tireLine, warehouse_id: journey.warehouseId, quantity: 4 })
  addShipment(rows, story, { id: shipmentId, ...turns }, random)
  addMoney(rows, story, { paymentId, cartId, breakdown, ...turns })
  if (ending === 'returned') addReturn(rows, story, { paymentId, deliveredAt: journey.deliveredAt })
  if (referral) addReferral(rows, story, { ...referral, keptFrom: journey.deliveredAt }, customerId)
  addBooking(rows, story, { cartId, canceledAt: turns.canceledAt }, random)
}

/** The buyer and their address; `city`, `state`, `zip` and `shipTo` are the shop's if one installs the tires. */
type Recipient = {
  home: Place
  name: string
  email: string
  phone: string
  street: string
  city: string
  state: string
  zip: string
  shipTo: { name: string; street: string }
}

function recipientOf(
  { id, firstName, lastName, shop, buyer }: Story,
  homes: readonly Place[],
  random: Random,
): Recipient {
  // Repeat buyers keep their address.
  const living = buyer ? randomStream(`home ${buyer.email}`) : random
  const home = living.pick(homes)
  const street = streetAddress(living)
  const phone = `${living.between(212, 989)}55501${String(living.between(0, 99)).padStart(2, '0')}`
  const email = buyer?.email ?? `${firstName}.${lastName}.${id}@example.com`.toLowerCase()
  const { city, state, zip } = shop ?? home
  const name = `${firstName} ${lastName}`
  const shipTo = shop ? { name: shop.name, street: shop.street } : { name, street }
  return { home, name, email, phone, street, city, state, zip, shipTo }
}

function cartOf(story: Story, id: string, { zip }: Recipient): Row<'cart'> {
  const { shop, placedAt, buyer, referral } = story
  return {
    id,
    account_id: buyer?.accountId ?? null,
    payment_method: buyer?.invoice ? 'net-terms' : 'card',
    referral_code: referral?.code ?? null,
    referral_opened_at: referral ? placedAt.subtract({ minutes: 15 }) : null,
    state: 'ordered',
    version: 6,
    zip,
    vehicle: null,
    fulfillment: fulfillmentOf(story),
    shop_id: shop?.id ?? null,
    created_at: placedAt.subtract({ minutes: 14 }),
    updated_at: placedAt,
  }
}

const stateAtEnding: Record<Ending, string> = {
  open: 'confirmed',
  done: 'confirmed',
  'no-show': 'confirmed',
  canceled: 'canceled',
  returned: 'returned',
  unconfirmed: 'needs-confirmation',
}

function orderOf(
  story: Story,
  { customerId, cartId }: { customerId: string; cartId: string },
  recipient: Recipient,
  breakdown: PriceBreakdown,
): Row<'sales_order'> {
  const { id, shop, ending, placedAt, buyer, firstName, lastName } = story
  const { email, phone, street, city, state, zip, shipTo } = recipient
  const { totals } = breakdown
  const isReleased = ending !== 'canceled' && ending !== 'unconfirmed'
  return {
    id,
    customer_id: customerId,
    cart_id: cartId,
    buyer_id: buyer?.accountId ?? null,
    company_id: buyer?.company?.id ?? null,
    company: buyer?.company?.name ?? null,
    state: stateAtEnding[ending],
    placed_at: placedAt,
    ...waitOf(story),
    released_at: isReleased ? placedAt.add({ minutes: 30 }) : null,
    fulfillment: fulfillmentOf(story),
    shop_id: shop?.id ?? null,
    first_name: firstName,
    last_name: lastName,
    address1: street,
    city,
    state_code: state,
    zip,
    email,
    phone,
    phone_type: 'mobile',
    ship_to_name: shipTo.name,
    ship_to_street: shipTo.street,
    ship_to_city: city,
    ship_to_state: state,
    ship_to_zip: zip,
    vehicle: vehicleOf(story),
    fitment_verdict: story.verdict,
    billing: billingOf(recipient, buyer?.poNumber ?? null),
    // Plain data throughout, which its type does not express.
    breakdown: breakdown as unknown as JsonObject,
    terms_accepted_at: placedAt,
    tire_fee_cents: totals.tireFeeCents,
    fet_cents: totals.fetCents,
    tax_cents: totals.taxCents,
    total_cents: totals.totalCents,
  }
}

function waitOf({ ending, placedAt }: Story): Pick<Row<'sales_order'>, 'cancel_until' | 'confirm_by'> {
  const confirmBy = ending === 'unconfirmed' ? placedAt.add({ hours: confirmWithinHours }) : null
  return { cancel_until: confirmBy ?? placedAt.add({ minutes: 30 }), confirm_by: confirmBy }
}

function billingOf({ name, street, city, state, zip, phone }: Recipient, poNumber: string | null): JsonObject {
  return {
    sameAsShipping: true,
    name,
    address1: street,
    address2: null,
    city,
    state,
    zip,
    phone,
    phoneType: 'mobile',
    poNumber,
  }
}

function addOrderEvents(
  rows: OrderRows,
  { id, ending, placedAt }: Story,
  { canceledAt, journey }: { canceledAt: Temporal.Instant; journey: Journey },
): void {
  const event = (at: Temporal.Instant, from_state: string | null, to_state: string, actor: string): void =>
    void rows.order_event.push({ order_id: id, at, from_state, to_state, actor })
  event(placedAt, null, ending === 'unconfirmed' ? stateAtEnding[ending] : 'confirmed', 'shopper')
  if (ending === 'canceled') event(canceledAt, 'confirmed', 'canceled', 'shopper')
  if (ending === 'returned') event(returnTimes(journey.deliveredAt).refunded, 'confirmed', 'returned', returnStaff)
}

function fulfillmentOf({ shop }: Story): 'shop' | 'mobile' | 'home' {
  return shop === null ? 'home' : shop.kind === 'van' ? 'mobile' : 'shop'
}

function priceOf(
  { item, itemName, brandId, size, installation, shop, placedAt, buyer, referral }: Story,
  stateCode: string,
): PriceBreakdown {
  const listed = {
    id: item.id ?? 0,
    lineId: item.product_line_id,
    brandId,
    sizeSlug: slugOfSize(size),
    retailCents: item.retail_cents,
    costCents: item.cost_cents ?? null,
  }
  const tires = {
    itemId: item.id,
    name: itemName,
    quantity: 4,
    unitCents: item.retail_cents,
    account: buyer?.pricing.list
      ? { type: buyer.pricing.type, unitCents: accountPrice(buyer.pricing, listed)?.unitCents ?? null }
      : undefined,
    fetUnitCents: Number(item.fet_cents),
    weightLb: item.weight_lb,
    coveredQuantity: 0,
    spec: { rimIn: size.rim, aspect: size.aspect, runFlat: false, sizeKind: size.kind },
    promotions: [],
  }
  return priceOffer(
    [tires],
    {
      stateCode,
      installation,
      shopName: shop?.name ?? null,
      shippingCents: 0,
      shippingTo: shop ? 'shop' : 'address',
      terms: standardTerms,
    },
    placedAt.toZonedDateTimeISO(shop?.time_zone ?? 'America/New_York').toPlainDate(),
    { roadside: false, programs: referral ? [referral.program] : [] },
  )
}

/** The vehicle in the cart's format, see chosen-vehicle.ts. */
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

function addLines(rows: OrderRows, { id, item }: Story, breakdown: PriceBreakdown): void {
  for (const [index, line] of breakdown.lines.entries()) {
    const isTire = line.kind === 'tire' && line.articleId !== null
    rows.order_line.push({
      order_id: id,
      line_no: index + 1,
      kind: line.kind,
      item_id: isTire ? parseArticleId(line.articleId) : null,
      axle: isTire ? 'all' : null,
      coverage_plan: line.kind === 'coverage' ? (line.plan ?? 'replacement') : null,
      description: lineName(line),
      quantity: line.quantity,
      unit_cents: line.unitCents,
      unit_cost_cents: isTire ? (item.cost_cents ?? null) : null,
      gross_cents: line.grossCents,
      discount_cents: line.grossCents - line.netCents,
      net_cents: line.netCents,
      tax_cents: line.taxCents,
      fet_cents: line.fetCents,
      tire_fee_cents: line.tireFeeCents,
    })
  }
}

function addShipment(
  rows: OrderRows,
  { id, ending, placedAt }: Story,
  parts: { id: string; journey: Journey; canceledAt: Temporal.Instant; now: Temporal.Instant },
  random: Random,
): void {
  const { journey } = parts
  const events: { at: Temporal.Instant; to: string; actor: string }[] = [
    { at: placedAt, to: 'processed', actor: 'store' },
  ]
  if (ending === 'canceled') events.push({ at: parts.canceledAt, to: 'canceled', actor: 'store' })
  else if (ending !== 'unconfirmed')
    events.push(
      ...[
        { at: journey.labeledAt, to: 'pending-pickup', actor: 'store' },
        { at: journey.pickedUpAt, to: 'in-transit', actor: 'carrier' },
        { at: journey.deliveredAt, to: 'delivered', actor: 'carrier' },
      ].filter(({ at }) => Temporal.Instant.compare(at, parts.now) < 0),
    )
  const state = events.at(-1)?.to ?? 'processed'
  const delivered = events.find((event) => event.to === 'delivered')
  const isLabelled = !['processed', 'canceled'].includes(state)
  rows.shipment.push({
    id: parts.id,
    order_id: id,
    warehouse_id: journey.warehouseId,
    state,
    carrier: isLabelled ? 'Sandbox Freight' : null,
    tracking_number: isLabelled ? `SMP${id}${String(random.between(0, 9999)).padStart(4, '0')}` : null,
    promised_on: journey.promisedOn.toString(),
    ship_by: journey.shipsBy,
    delivered_at: delivered?.at ?? null,
    created_at: placedAt,
  })
  for (const [index, event] of events.entries())
    rows.shipment_event.push({
      shipment_id: parts.id,
      at: event.at,
      from_state: events[index - 1]?.to ?? null,
      to_state: event.to,
      actor: event.actor,
    })
}

function addBooking(
  rows: OrderRows,
  { id, shop, slot, ending, placedAt }: Story,
  parts: { cartId: string; canceledAt: Temporal.Instant },
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
  if (state === 'canceled') event(parts.canceledAt, 'confirmed', state, 'customer')
  if (state === 'done') event(slot.end.toInstant(), 'confirmed', state, 'shop')
  if (state === 'no-show') event(endedAt(slot), 'confirmed', state, 'shop')
}
