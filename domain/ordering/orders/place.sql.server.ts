/**
 * Queries that place an order. They run in one transaction in this order, backed by schema constraints: cart row, price
 * basis, stock rows in key order, order and lines, bay, payment, ledger. Every transaction that takes several of these
 * locks takes them in this order to prevent deadlocks.
 */
import { sql } from 'kysely'
import { customerParts, type OrderContact } from '#domain/customers/customers/customers.server.ts'
import { returnStock } from '#domain/supply/delivery/delivery.server.ts'
import { partUnitCost, type PartUnits } from '#domain/supply/parts/parts.server.ts'
import { averageUnitCost, freightFrom, landedCostFrom } from '#domain/supply/stock/stock.server.ts'
import { confirmationReasons } from './confirmation-rules.ts'
import type { OrderState, OrderVerdict } from './orders.ts'
import type { CoveragePlan, PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Everything an order is made of, checked by the use case against the cart at `cartVersion`. */
export type OrderDraft = {
  cartId: string
  customerId: string
  /** The account that determined the price tier; null for a guest. */
  buyerId: string | null
  /** The company it is bought for. */
  companyId: string | null
  /** The branded store it is placed in. */
  dealerShopId: number | null
  email: string
  placedAt: Temporal.Instant
  cancelUntil: Temporal.Instant
  /** Which rules ask the shopper to confirm it, and until when; null for an order that is confirmed with its placing. */
  confirmation: { rules: readonly string[]; by: Temporal.Instant } | null
  termsAcceptedAt: Temporal.Instant
  fulfillment: 'shop' | 'mobile' | 'home' | 'carrier-pickup' | 'warehouse-pickup'
  shopId: number | null
  carrierLocationId: number | null
  pickupWarehouseId: number | null
  contact: {
    firstName: string
    lastName: string
    company: string | null
    address1: string
    address2: string | null
    city: string
    state: string
    zip: string
    instructions: string | null
    vehicleNote: string | null
    phone: string
    phoneExtension: string | null
    phoneType: string
  }
  shipTo: { name: string; street: string; city: string; state: string; zip: string }
  vehicle: unknown
  verdict: OrderVerdict | null
  billing: { zip: string; [field: string]: unknown }
  breakdown: PriceBreakdown
  /** What store credit pays; the charge covers the rest. */
  creditCents: number
  lines: DraftLine[]
  shipments: DraftShipment[]
  /** Its parts, with the warehouses that pack them. */
  parts: PartUnits[]
}

export type DraftLine = {
  lineNo: number
  kind: string
  itemId: number | null
  axle: string | null
  /** For a part, its ID and the warehouse that packs it. */
  partId: number | null
  partWarehouseId: number | null
  /** For a service without new tires, its kind. */
  service: string | null
  /** For coverage, the plan sold. */
  coveragePlan: CoveragePlan | null
  description: string
  quantity: number
  unitCents: number
  grossCents: number
  discountCents: number
  netCents: number
  taxCents: number
  fetCents: number
  tireFeeCents: number
}

export type DraftShipment = {
  id: string
  warehouseId: number
  promisedOn: string
  /** When it has to leave the warehouse, or be ready for pickup. */
  shipsBy: Temporal.Instant
  items: { itemId: number; quantity: number; lineNo: number }[]
}

type LockedCart = {
  state: string
  version: number
  accountId: string | null
  /** The order it became. */
  orderId: number | null
  /** Whether shoppers can order. */
  isStoreOpen: boolean
  /** The number of the latest change of the business terms. */
  termsVersion: number
}

/** Locks the cart, and whether the store is open, for the rest of the transaction. */
export async function lockCart(tx: Tx, cartId: string): Promise<LockedCart | undefined> {
  const { rows } = await sql<LockedCart>`
    select cart.state, cart.version, cart.account_id as "accountId", (select id from sales_order where cart_id = cart.id) as "orderId", store_state.is_open as "isStoreOpen", store_state.terms_version as "termsVersion"
    from cart, store_state where cart.id = ${cartId}::uuid for update of cart for share of store_state`.execute(tx)
  return rows[0]
}

/**
 * Takes the order number for a locked cart; undefined if the cart was already ordered. A number leaves a gap if its
 * order isn't placed.
 */
export async function takeOrderId(tx: Tx, cartId: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select nextval('sales_order_id_seq') as id from cart where id = ${cartId}::uuid and state <> 'ordered'`.execute(tx)
  return rows[0]?.id
}

/** The order a cart became; undefined if it has not. */
export async function findOrderOfCart(db: Database, cartId: string): Promise<number | undefined> {
  const placed = await db.selectFrom('sales_order').select('id').where('cart_id', '=', cartId).executeTakeFirst()
  return placed?.id
}

/** Returns an order's units to their warehouses, or only to the given one. */
export async function returnUnits(tx: Tx, orderId: number, warehouseId?: number): Promise<void> {
  await returnStock(
    tx,
    sql`
      select order_line.item_id, stock_allocation.warehouse_id, sum(stock_allocation.quantity)::int as quantity
      from stock_allocation join order_line on order_line.order_id = stock_allocation.order_id and order_line.line_no = stock_allocation.line_no
      where stock_allocation.order_id = ${orderId}::bigint
        and (${warehouseId ?? null}::int is null or stock_allocation.warehouse_id = ${warehouseId ?? null}::int) group by 1, 2`,
  )
}

/**
 * Inserts the whole order in one query, with customer, lines, stock allocations, parcels, and the first order and
 * parcel events. Each part selects from the one it depends on; constraints are checked once all of it is written. The
 * number comes from `takeOrderId`, so that related inserts don't depend on this query.
 */
export async function insertOrder(tx: Tx, orderId: number, draft: OrderDraft): Promise<void> {
  const { contact, shipTo, breakdown, confirmation } = draft
  const state: OrderState = confirmation ? 'needs-confirmation' : 'confirmed'
  const rules = confirmation?.rules ?? []
  // Passed as one string, because PostgreSQL replans queries with array parameters each time (docs/performance.md).
  const ruleNames = rules.join(' ')
  const at = draft.placedAt.toString()
  await sql`
    with ${customerParts(orderContact(draft))},
    placed as (
      insert into sales_order (id, customer_id, cart_id, buyer_id, company_id, dealer_shop_id, state, placed_at, cancel_until, confirm_by, confirmation_rules, terms_accepted_at, fulfillment, shop_id, carrier_location_id, pickup_warehouse_id,
        first_name, last_name, company, address1, address2, city, state_code, zip, instructions, email, phone, phone_extension, phone_type,
        ship_to_name, ship_to_street, ship_to_city, ship_to_state, ship_to_zip, vehicle, vehicle_note, fitment_verdict, billing, breakdown,
        tire_fee_cents, fet_cents, tax_cents, total_cents, credit_cents) overriding system value
      select ${orderId}::bigint, known.id, ${draft.cartId}::uuid, ${draft.buyerId}::uuid, ${draft.companyId}::uuid, ${draft.dealerShopId}::int, ${state}, ${at}::timestamptz, ${draft.cancelUntil.toString()}::timestamptz, ${confirmation?.by.toString() ?? null}::timestamptz, string_to_array(${ruleNames}::text, ' '), ${draft.termsAcceptedAt.toString()}::timestamptz,
        ${draft.fulfillment}, ${draft.shopId}::int, ${draft.carrierLocationId}::int, ${draft.pickupWarehouseId}::int,
        ${contact.firstName}, ${contact.lastName}, ${contact.company}, ${contact.address1}, ${contact.address2}, ${contact.city}, ${contact.state}, ${contact.zip}, ${contact.instructions},
        ${draft.email}, ${contact.phone}, ${contact.phoneExtension}, ${contact.phoneType},
        ${shipTo.name}, ${shipTo.street}, ${shipTo.city}, ${shipTo.state}, ${shipTo.zip},
        ${json(draft.vehicle)}::jsonb, ${contact.vehicleNote}, ${json(draft.verdict)}::jsonb, ${json(draft.billing)}::jsonb, ${json(breakdown)}::jsonb,
        ${breakdown.totals.tireFeeCents}::int, ${breakdown.totals.fetCents}::int, ${breakdown.totals.taxCents}::int, ${breakdown.totals.totalCents}::int, ${draft.creditCents}::int
      from known returning id, state, placed_at),
    noted as (
      insert into order_event (order_id, at, from_state, to_state, actor, note) select id, placed_at, null, state, 'shopper', ${confirmationReasons(rules, 'staff').join(' ') || null} from placed),
    fit_asked as (
      insert into order_fit_check (order_id, asked_at) select id, placed_at from placed where ${draft.verdict?.verdict === 'unknown'}::boolean),
    parts as (
      select * from json_to_recordset(${JSON.stringify(draft.shipments.flatMap(allocationRows))}::json) as allocation (line_no smallint, warehouse_id smallint, quantity smallint)),
    lines as (
      insert into order_line (order_id, line_no, kind, item_id, axle, part_id, part_warehouse_id, service, coverage_plan, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents, unit_cost_cents, unit_freight_cents)
      select placed.id, line.*, coalesce(${averageUnitCost(sql`select parts.quantity, ${landedCostFrom(sql`line.item_id`, sql`parts.warehouse_id`)} from parts where parts.line_no = line.line_no`)}, ${partUnitCost(sql`line.part_id`)}),
        coalesce(${averageUnitCost(sql`select parts.quantity, ${freightFrom(sql`parts.warehouse_id`)} from parts where parts.line_no = line.line_no`)}, 0)
      from placed cross join json_to_recordset(${JSON.stringify(draft.lines.map(lineRow))}::json)
        as line (line_no smallint, kind text, item_id int, axle text, part_id int, part_warehouse_id smallint, service text, coverage_plan text, description text, quantity int, unit_cents int, gross_cents int, discount_cents int, net_cents int, tax_cents int, fet_cents int, tire_fee_cents int)),
    allocated as (
      insert into stock_allocation (order_id, line_no, warehouse_id, quantity)
      select placed.id, parts.* from placed, parts),
    shipped as (
      insert into shipment (id, order_id, warehouse_id, state, promised_on, ship_by, created_at)
      select parcel.id, placed.id, parcel.warehouse_id, 'processed', parcel.promised_on, parcel.ship_by, placed.placed_at
      from placed, json_to_recordset(${JSON.stringify(draft.shipments.map(parcelRow))}::json) as parcel (id uuid, warehouse_id smallint, promised_on date, ship_by timestamptz)
      returning id, state, created_at),
    tracked as (
      insert into shipment_event (shipment_id, at, from_state, to_state, actor) select id, created_at, null, state, 'store' from shipped)
    select from placed`.execute(tx)
}

function orderContact({ customerId, email, contact, buyerId, placedAt }: OrderDraft): OrderContact {
  const { firstName, lastName, phone, city, state, zip } = contact
  const name = `${firstName} ${lastName}`
  return { customerId, email, name, phone, city, state, zip, accountId: buyerId, at: placedAt }
}

function lineRow(line: DraftLine) {
  return {
    line_no: line.lineNo,
    kind: line.kind,
    item_id: line.itemId,
    axle: line.axle,
    part_id: line.partId,
    part_warehouse_id: line.partWarehouseId,
    service: line.service,
    coverage_plan: line.coveragePlan,
    description: line.description,
    quantity: line.quantity,
    unit_cents: line.unitCents,
    gross_cents: line.grossCents,
    discount_cents: line.discountCents,
    net_cents: line.netCents,
    tax_cents: line.taxCents,
    fet_cents: line.fetCents,
    tire_fee_cents: line.tireFeeCents,
  }
}

function allocationRows({ warehouseId, items }: DraftShipment) {
  return items.map(({ lineNo, quantity }) => ({ line_no: lineNo, warehouse_id: warehouseId, quantity }))
}

function parcelRow({ id, warehouseId, promisedOn, shipsBy }: DraftShipment) {
  return { id, warehouse_id: warehouseId, promised_on: promisedOn, ship_by: shipsBy.toString() }
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
