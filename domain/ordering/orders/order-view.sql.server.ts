import { sql, type RawBuilder } from 'kysely'
import type { BookingState } from '#domain/scheduling/booking/booking.ts'
import { noticeAt } from '#domain/scheduling/installers/installers.server.ts'
import type { Invoice } from '#domain/payments/invoices/invoices.ts'
import type { OrderState, OrderTerms, OrderVerdict, ShipmentState } from './orders.ts'
import type { PlaceHours } from '#domain/supply/pickup-places/pickup-places.ts'
import type { CardChecks } from '#domain/payments/payments/payment-provider.port.ts'
import type { ChargedMethod } from '#domain/payments/payments/payments.ts'
import type { CoveragePlan, PriceBreakdown, SalesChannel } from '#domain/pricing/pricing/pricing.ts'
import { termAt } from '#domain/kernel/settings/settings.server.ts'
import type { TermName } from '#domain/kernel/settings/settings.ts'
import type { Database } from '#platform/db.ts'
import { storeZone } from '#platform/store-zone.ts'
import { isServiceOrder } from './service-order.sql.server.ts'
import type { StoredSet } from './stored-sets.ts'
import { storedSetOf } from './stored-sets.sql.server.ts'

const termNames = {
  cancelMinutes: 'cancel-minutes',
  returnDays: 'return-days',
  returnFeeCents: 'return-fee-cents',
  damageDays: 'damage-days',
} as const satisfies Record<keyof OrderTerms, TermName>

/** The terms of an order that was placed at a time, as JSON. */
export function orderTermsAt(placedAt: RawBuilder<unknown>): RawBuilder<OrderTerms> {
  const values = (Object.keys(termNames) as (keyof OrderTerms)[]).map(
    (key) => sql`${sql.lit(key)}, ${termAt(termNames[key], placedAt)}`,
  )
  return sql`json_build_object(${sql.join(values)})`
}

/** An order with everything for its pages, mails and documents. */
export type OrderView = {
  id: number
  customerId: string
  cartId: string
  state: OrderState
  placedAt: Temporal.Instant
  /** The business terms it was placed under. */
  terms: OrderTerms
  cancelUntil: Temporal.Instant
  /** Until when its shopper has to confirm it, or had; null for an order that was confirmed with its placing. */
  confirmBy: Temporal.Instant | null
  /** The names of the rules that asked for that. */
  confirmationRules: string[]
  /** From here on it is charged and shipped, and cannot be canceled. */
  releasedAt: Temporal.Instant | null
  fulfillment: 'shop' | 'mobile' | 'home' | 'carrier-pickup' | 'warehouse-pickup'
  firstName: string
  lastName: string
  company: string | null
  address: { line1: string; line2: string | null; city: string; state: string; zip: string }
  instructions: string | null
  email: string
  phone: string
  shipTo: { name: string; street: string; city: string; state: string; zip: string }
  /** The order's display time zone, from its shop or otherwise its shipping ZIP code. */
  timeZone: string
  vehicle: unknown
  vehicleNote: string | null
  verdict: OrderVerdict | null
  /** Whether a person has to check its fit, and when one did; null for a known fit. */
  fitCheck: { at: Temporal.Instant | null } | null
  billing: {
    sameAsShipping: boolean
    name: string
    address1: string
    address2: string | null
    city: string
    state: string
    zip: string
    poNumber: string | null
  }
  breakdown: PriceBreakdown
  totalCents: number
  /** The part paid with store credit. */
  creditCents: number
  /** Its charges together; `authorized` until all of them are captured. */
  payment: {
    id: string
    method: ChargedMethod
    /** The card that paid; null for other methods, and where the provider has not named it. */
    card: { brand: string; last4: string } | null
    /** Until when that card is good, and what its bank checked; null where the provider has not said. */
    expiry: { month: number; year: number } | null
    checks: CardChecks | null
    state: string
    amountCents: number
    capturedCents: number
    refundedCents: number
    /** The order at Resolve, for one on its net terms. */
    loanId: string | null
    /** Charges of paid edits, in addition to the original charge. */
    differenceIds: string[]
  } | null
  /** What its company owes for it, if not paid by card. */
  invoice: Invoice | null
  shop: {
    id: number
    code: string
    name: string
    street: string
    city: string
    state: string
    zip: string
    phone: string
    timeZone: string
    kind: string
  } | null
  /** The branded store it was placed in, on or not; null for our own. */
  dealer: OrderDealer | null
  /** The partner widget the order came from, with the partner's name for the page; null if not from a widget. */
  widget: { id: string; partner: string; source: string | null } | null
  /** The purchasing system that ordered it, of a company or a military exchange; null for one ordered on our pages. */
  purchase: {
    channel: SalesChannel | 'procurement'
    companyId: string
    company: string
    /** The exchange's customer. */
    customerId: string | null
    costCenter: string | null
  } | null
  booking: OrderBooking | null
  /**
   * The carrier's pickup location, with its hours as last read. `heldSince` is when all of the order had arrived there.
   */
  pickup: {
    week: PlaceHours[]
    holdsDays: number
    latitude: number
    longitude: number
    heldSince: Temporal.Instant | null
  } | null
  /** Where and until when it is picked up at a warehouse; `readyBy` is known from its release on. */
  warehousePickup: {
    warehouseId: number
    week: PlaceHours[]
    closedDays: string[]
    readyHours: number
    /** Directions to the counter; empty without. */
    note: string
    readyBy: Temporal.Instant | null
    readyAt: Temporal.Instant | null
    keepUntil: string | null
    handedOverAt: Temporal.Instant | null
  } | null
  /** Whether it is a service without tires, which is its only line and has no parcels. */
  isService: boolean
  /** The set that its shop stores, from the end of a service with storage on. */
  storedSet: StoredSet | null
  lines: {
    lineNo: number
    kind: string
    itemId: number | null
    axle: string | null
    /** For a service without tires, its kind. */
    service: string | null
    /** For coverage, the plan sold. */
    coveragePlan: CoveragePlan | null
    description: string
    quantity: number
    /** How many of them were canceled before they shipped. */
    canceled: number
    unitCents: number
    netCents: number
    /** The product line of a tire. */
    line: { brandSlug: string; slug: string } | null
  }[]
  shipments: OrderShipment[]
}

/** `installerId` is the code of its shop. */
export type OrderDealer = {
  shopId: number
  dealerCode: string
  installerId: string
  name: string
  /** The key of its logo; null for the name in letters. */
  logo: string | null
  brandColor: string
}

export type OrderBooking = {
  id: string
  kind: 'wait' | 'drop-off' | 'mobile'
  state: BookingState
  start: Temporal.Instant
  end: Temporal.Instant
  dropOffWindow: 'AM' | 'PM' | 'EVE' | null
  dropOffCode: string | null
  /** Up to how long before its start it can be moved. */
  noticeMinutes: number
  changes: number
}

export type OrderShipment = {
  id: string
  state: ShipmentState
  carrier: string | null
  trackingNumber: string | null
  /** Where its carrier shows how far it is; null where that is not known. */
  trackingUrl: string | null
  promisedOn: string
  /** The carrier's expected delivery day; null until known. */
  expectedOn: string | null
  deliveredAt: Temporal.Instant | null
  warehouse: {
    id: number
    name: string
    street: string
    city: string
    state: string
    zip: string
    /** Whether the store holds its tires itself; a supplier does otherwise. */
    isOwn: boolean
    /** Whether no labels are bought for its parcels. */
    shipsByHand: boolean
  }
  /** `lineNo` is the order line's number. */
  items: { lineNo: number; description: string; quantity: number; weightLb: number }[]
  events: { at: Temporal.Instant; state: ShipmentState; note: string | null }[]
}

/** The IANA time zone of order `o`, from its shop, otherwise its shipping ZIP code, otherwise the store. */
export const orderTimeZone = sql<string>`coalesce((select s.time_zone from shop s where s.id = o.shop_id), (select z.time_zone from zip z where z.zip = o.ship_to_zip), ${sql.lit(storeZone)})`

type Row = Record<string, never> & { [key: string]: unknown }

/** Returns the order with this id, or undefined, in one statement. */
export async function readOrder(db: Database, orderId: number): Promise<OrderView | undefined> {
  if (!Number.isSafeInteger(orderId) || orderId <= 0) return undefined
  const result = await sql<{ view: Row }>`
    select json_build_object(
      'id', o.id, 'customerId', o.customer_id, 'cartId', o.cart_id, 'state', o.state, 'placedAt', o.placed_at, 'terms', ${orderTermsAt(sql`o.placed_at`)}, 'cancelUntil', o.cancel_until,
      'releasedAt', o.released_at, 'confirmBy', o.confirm_by, 'confirmationRules', o.confirmation_rules, 'fulfillment', o.fulfillment,
      'firstName', o.first_name, 'lastName', o.last_name, 'company', o.company, 'instructions', o.instructions, 'email', o.email, 'phone', o.phone,
      'address', json_build_object('line1', o.address1, 'line2', o.address2, 'city', o.city, 'state', o.state_code, 'zip', o.zip),
      'shipTo', json_build_object('name', o.ship_to_name, 'street', o.ship_to_street, 'city', o.ship_to_city, 'state', o.ship_to_state, 'zip', o.ship_to_zip),
      'timeZone', ${orderTimeZone},
      'vehicle', o.vehicle, 'vehicleNote', o.vehicle_note, 'verdict', o.fitment_verdict, 'fitCheck', (select json_build_object('at', checked_at) from order_fit_check f where f.order_id = o.id), 'billing', o.billing, 'breakdown', o.breakdown, 'totalCents', o.total_cents, 'creditCents', o.credit_cents,
      'payment', (select json_build_object('id', p.id, 'method', p.method, 'card', case when p.card_last4 is not null then json_build_object('brand', p.card_brand, 'last4', p.card_last4) end, 'expiry', case when p.card_exp_month is not null then json_build_object('month', p.card_exp_month, 'year', p.card_exp_year) end,
          'checks', case when num_nonnulls(p.card_street_check, p.card_zip_check, p.card_code_check) > 0 then json_build_object('street', p.card_street_check, 'zip', p.card_zip_check, 'code', p.card_code_check) end,
          'loanId', case when p.provider = 'resolve' then regexp_replace(p.provider_ref, '^resolve:', '') end, 'state', case when p.state = 'captured' and more.uncaptured then 'authorized' else p.state end,
          'amountCents', p.amount_cents + more.amount, 'capturedCents', p.captured_cents + more.captured, 'refundedCents', p.refunded_cents + more.refunded, 'differenceIds', more.ids)
        from payment p, (select coalesce(sum(d.amount_cents), 0) as amount, coalesce(sum(d.captured_cents), 0) as captured, coalesce(sum(d.refunded_cents), 0) as refunded,
            coalesce(bool_or(d.state = 'authorized'), false) as uncaptured, coalesce(json_agg(d.id order by d.id), '[]') as ids
          from payment d where d.order_id = o.id and d.order_change_id is not null and d.state in ('authorized', 'captured')) as more
        where p.order_id = o.id and p.order_change_id is null order by p.created_at desc limit 1),
      'invoice', (select json_build_object('amountCents', v.amount_cents, 'paidCents', v.paid_cents, 'netDays', v.net_days, 'dueOn', v.due_on, 'state', v.state) from invoice v where v.order_id = o.id),
      'shop', (select json_build_object('id', s.id, 'code', s.code, 'name', s.name, 'street', s.street, 'city', s.city, 'state', s.state, 'zip', s.zip, 'phone', s.phone, 'timeZone', s.time_zone, 'kind', s.kind)
        from shop s where s.id = o.shop_id),
      'dealer', (select json_build_object('shopId', s.id, 'dealerCode', t.dealer_code, 'installerId', s.code, 'name', t.name, 'logo', t.logo, 'brandColor', t.brand_color)
        from branded_store t join shop s on s.id = t.shop_id where t.shop_id = o.dealer_shop_id),
      'widget', (select json_build_object('id', w.id, 'partner', p.name, 'source', came.source)
        from order_attribution came join partner_widget w on w.id = came.widget_id join partner p on p.id = w.partner_id where came.order_id = o.id),
      'purchase', (select json_build_object('channel', bought.channel, 'companyId', c.id, 'company', c.name, 'customerId', bought.customer_id, 'costCenter', bought.cost_center)
        from purchasing_order bought join company c on c.id = bought.company_id where bought.order_id = o.id),
      'booking', (select json_build_object('id', b.id, 'kind', b.kind, 'state', b.state, 'start', lower(b.during), 'end', upper(b.during), 'dropOffWindow', b.drop_off_window, 'dropOffCode', b.drop_off_code,
          'noticeMinutes', ${noticeAt(sql`b.shop_id`, sql`lower(b.during)`)},
          'changes', (select greatest(count(*) - 1, 0) from booking_event e where e.booking_id = b.id and e.to_state in ('confirmed', 'canceled')))
        from booking b where b.order_id = o.id order by b.state = 'confirmed' desc, b.created_at desc limit 1),
      'pickup', (select json_build_object('week', c.week, 'holdsDays', c.holds_days, 'latitude', c.latitude, 'longitude', c.longitude, 'heldSince',
          (select case when bool_and(h.held_since is not null) then max(h.held_since) end from shipment h where h.order_id = o.id and h.state not in ('canceled', 'returned')))
        from carrier_location c where c.id = o.carrier_location_id and o.fulfillment = 'carrier-pickup'),
      'warehousePickup', (select json_build_object('warehouseId', o.pickup_warehouse_id, 'readyBy', u.ready_by, 'readyAt', u.ready_at, 'keepUntil', u.keep_until, 'handedOverAt', u.handed_over_at,
          'week', coalesce((select json_agg(json_build_object('weekday', wh.weekday, 'opens', to_char(wh.opens, 'HH24:MI'), 'closes', to_char(wh.closes, 'HH24:MI')) order by wh.weekday)
            from warehouse_hours wh where wh.warehouse_id = o.pickup_warehouse_id), '[]'),
          'closedDays', w.closed_days, 'readyHours', w.pickup_ready_hours, 'note', w.pickup_note)
        from warehouse w left join warehouse_pickup u on u.order_id = o.id where w.id = o.pickup_warehouse_id),
      'isService', ${isServiceOrder(sql.ref('o.id'))},
      'storedSet', ${storedSetOf(sql.ref('o.id'))},
      'lines', (select json_agg(json_build_object('lineNo', l.line_no, 'kind', l.kind, 'itemId', l.item_id, 'axle', l.axle, 'service', l.service, 'coveragePlan', l.coverage_plan, 'description', l.description, 'quantity', l.quantity,
          'unitCents', l.unit_cents, 'netCents', l.net_cents,
          'canceled', canceled_units(l.order_id, l.line_no),
          'line', (select json_build_object('brandSlug', b.slug, 'slug', p.slug) from item i join product_line p on p.id = i.product_line_id join brand b on b.id = p.brand_id where i.id = l.item_id)
        ) order by l.line_no) from order_line l where l.order_id = o.id),
      'shipments', coalesce((select json_agg(json_build_object('id', h.id, 'state', h.state, 'carrier', h.carrier, 'trackingNumber', h.tracking_number, 'trackingUrl', h.tracking_url, 'promisedOn', h.promised_on, 'expectedOn', h.expected_on, 'deliveredAt', h.delivered_at,
          'warehouse', (select json_build_object('id', w.id, 'name', w.name, 'street', w.street, 'city', w.city, 'state', w.state, 'zip', w.zip, 'isOwn', w.supplier_id is null, 'shipsByHand', w.ships_by_hand) from warehouse w where w.id = h.warehouse_id),
          'items', (select coalesce(json_agg(json_build_object('lineNo', l.line_no, 'description', l.description, 'quantity', a.quantity, 'weightLb', i.weight_lb) order by l.line_no), '[]')
            from stock_allocation a join order_line l on l.order_id = a.order_id and l.line_no = a.line_no join item i on i.id = l.item_id
            where a.order_id = o.id and a.warehouse_id = h.warehouse_id),
          'events', (select json_agg(json_build_object('at', e.at, 'state', e.to_state, 'note', e.note) order by e.id) from shipment_event e where e.shipment_id = h.id)
        ) order by h.promised_on, h.id) from shipment h where h.order_id = o.id and not (h.state = 'canceled' and exists (
          -- Replaced by another parcel of its warehouse.
          select from shipment s where s.order_id = h.order_id and s.warehouse_id = h.warehouse_id and s.id <> h.id and (s.state <> 'canceled' or s.created_at > h.created_at)))), '[]')
    ) as view
    from sales_order o where o.id = ${orderId}::bigint`.execute(db)
  const view = result.rows[0]?.view
  return view && (reviveInstants(view) as OrderView)
}

/** Proof of access to an order, in addition to its number. */
export type LookUpProof = { zip: string } | { email: string }

/** Returns the id of the order that matches number and ZIP code (shipping or customer), or number and email. */
export async function findOrderForLookup(
  db: Database,
  lookup: { orderId: number } & LookUpProof,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('sales_order')
    .select('id')
    .where('id', '=', lookup.orderId)
    .where((eb) =>
      'zip' in lookup
        ? eb.or([eb('ship_to_zip', '=', lookup.zip), eb('zip', '=', lookup.zip)])
        : eb(eb.fn('lower', ['email']), '=', lookup.email.toLowerCase()),
    )
    .executeTakeFirst()
  return row?.id
}

const instantFields = new Set([
  'placedAt',
  'cancelUntil',
  'confirmBy',
  'releasedAt',
  'start',
  'end',
  'deliveredAt',
  'heldSince',
  'readyBy',
  'readyAt',
  'handedOverAt',
  'returnedAt',
  'at',
])

/** JSON delivers instants as text; turns these fields into instants again. */
function reviveInstants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reviveInstants)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      // Stored JSON stays as stored.
      if (name === 'breakdown' || name === 'vehicle' || name === 'verdict' || name === 'billing') return [name, inner]
      return [
        name,
        instantFields.has(name) && typeof inner === 'string' ? Temporal.Instant.from(inner) : reviveInstants(inner),
      ]
    }),
  )
}
