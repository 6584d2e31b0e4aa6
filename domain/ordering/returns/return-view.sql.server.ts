/** Return views for pages, emails, apps, and the office. */
import { sql } from 'kysely'
import type { OrderState } from '#domain/ordering/orders/orders.ts'
import { findWarehouseAddresses, type WarehouseAddress } from '#domain/supply/delivery/delivery.server.ts'
import type { Database } from '#platform/db.ts'
import type { FeeReason, ReturnOutcome, ReturnReason, ReturnTireState } from './return-terms.ts'

export type ReturnTire = {
  tireNo: number
  lineNo: number
  unit: number
  name: string
  state: ReturnTireState
  shipsBack: boolean
  parcelRef: string | null
  /** Where its label sends it. Null without a label. */
  warehouse: WarehouseAddress | null
  carrier: string | null
  trackingNumber: string | null
  labelUrl: string | null
  receivedAt: Temporal.Instant | null
  finding: string | null
  dot: string | null
  isDotMatch: boolean | null
  outcome: ReturnOutcome | null
  refusal: string | null
  refundNo: number | null
}

export type ReturnRefund = {
  no: number
  at: Temporal.Instant
  goodsCents: number
  feeCents: number
  /** Less than the lines come to, because a part was refunded before. */
  loweredCents: number
  feeReason: FeeReason
  refundCents: number
  way: 'card' | 'credit' | 'invoice' | 'by-hand'
}

export type ReturnView = {
  id: number
  orderId: number
  seq: number
  reason: ReturnReason
  wants: 'refund' | 'exchange'
  note: string | null
  wasSaidToFit: boolean
  requestedAt: Temporal.Instant
  shipBy: string | null
  /** Blocks the refund until a second look; null if not held. */
  hold: { reason: string; by: string; at: Temporal.Instant } | null
  /** The cart that the replacing tires were put into; null until then. */
  exchangeCartId: string | null
  /** The right size's order, placed through the exchange or found by staff; null if not ordered. */
  reorder: { id: number; state: OrderState } | null
  tires: ReturnTire[]
  refunds: ReturnRefund[]
  /** How many pictures the shopper sent. */
  photos: number
}

/** Returns the return with this id; undefined if it doesn't exist. */
export async function readReturn(db: Database, id: number): Promise<ReturnView | undefined> {
  if (!Number.isSafeInteger(id) || id <= 0) return undefined
  const row = await db
    .selectFrom('order_return as back')
    .leftJoin('return_hold as hold', (join) =>
      join.onRef('hold.return_id', '=', 'back.id').on('hold.released_at', 'is', null),
    )
    .select([
      'back.id',
      'back.order_id as orderId',
      'back.seq',
      'back.reason',
      'back.wants',
      'back.note',
      'back.was_said_to_fit as wasSaidToFit',
      'back.requested_at as requestedAt',
      'back.ship_by_on as shipBy',
      'back.exchange_cart_id as cartId',
      'back.reorder_id as reorderId',
      'hold.reason as holdReason',
      'hold.held_by as heldBy',
      'hold.held_at as heldAt',
    ])
    .where('back.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { cartId, reorderId, reason, wants, holdReason, heldBy, heldAt, ...rest } = row
  const [tires, refunds, reorder, photos] = [
    await selectTires(db, id),
    await selectRefunds(db, id),
    await selectReorder(db, { cartId, reorderId }),
    await countPhotos(db, id),
  ]
  return {
    ...rest,
    reason: reason as ReturnReason,
    wants: wants as 'refund' | 'exchange',
    hold:
      holdReason !== null && heldBy !== null && heldAt !== null ? { reason: holdReason, by: heldBy, at: heldAt } : null,
    exchangeCartId: cartId,
    reorder,
    tires,
    refunds,
    photos,
  }
}

async function selectTires(db: Database, id: number): Promise<ReturnTire[]> {
  const rows = await db
    .selectFrom('return_tire as tire')
    .innerJoin('order_line as line', (join) =>
      join.onRef('line.order_id', '=', 'tire.order_id').onRef('line.line_no', '=', 'tire.line_no'),
    )
    .select([
      'tire.tire_no as tireNo',
      'tire.line_no as lineNo',
      'tire.unit',
      'line.description as name',
      'tire.state',
      'tire.ships_back as shipsBack',
      'tire.parcel_ref as parcelRef',
      'tire.warehouse_id as warehouseId',
      'tire.carrier',
      'tire.tracking_number as trackingNumber',
      'tire.label_url as labelUrl',
      'tire.received_at as receivedAt',
      'tire.finding',
      'tire.dot',
      'tire.is_dot_match as isDotMatch',
      'tire.outcome',
      'tire.refusal',
      'tire.refund_no as refundNo',
    ])
    .where('tire.return_id', '=', id)
    .orderBy('tire.tire_no')
    .execute()
  const addresses = await findWarehouseAddresses(
    db,
    rows.flatMap(({ warehouseId }) => warehouseId ?? []),
  )
  return rows.map(({ warehouseId, ...row }) => ({
    ...row,
    warehouse: addresses.find((address) => address.id === warehouseId) ?? null,
    state: row.state as ReturnTireState,
    outcome: row.outcome as ReturnOutcome | null,
  }))
}

async function selectRefunds(db: Database, id: number): Promise<ReturnRefund[]> {
  const rows = await db
    .selectFrom('return_refund')
    .select([
      'no',
      'at',
      'goods_cents as goodsCents',
      'fee_cents as feeCents',
      'lowered_cents as loweredCents',
      'fee_reason as feeReason',
      'refund_cents as refundCents',
      'way',
    ])
    .where('return_id', '=', id)
    .orderBy('no')
    .execute()
  return rows.map((row) => ({
    ...row,
    feeReason: row.feeReason as FeeReason,
    way: row.way as ReturnRefund['way'],
  }))
}

async function selectReorder(
  db: Database,
  by: { cartId: string | null; reorderId: number | null },
): Promise<ReturnView['reorder']> {
  if (by.cartId === null && by.reorderId === null) return null
  const row = await db
    .selectFrom('sales_order')
    .select(['id', 'state'])
    .where((eb) =>
      eb.or([
        ...(by.cartId === null ? [] : [eb('cart_id', '=', by.cartId)]),
        ...(by.reorderId === null ? [] : [eb('id', '=', by.reorderId)]),
      ]),
    )
    // Active returns come before canceled ones.
    .orderBy((eb) => eb('state', '=', 'canceled'))
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row ? { id: row.id, state: row.state as OrderState } : null
}

async function countPhotos(db: Database, id: number): Promise<number> {
  const { count } = await db
    .selectFrom('return_photo')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('return_id', '=', id)
    .where('by', '=', 'shopper')
    .executeTakeFirstOrThrow()
  return count
}

/** The returns of an order, oldest first. */
export async function listOrderReturns(db: Database, orderId: number): Promise<ReturnView[]> {
  const ids = await db.selectFrom('order_return').select('id').where('order_id', '=', orderId).orderBy('seq').execute()
  const views: ReturnView[] = []
  for (const { id } of ids) {
    const view = await readReturn(db, id)
    if (view) views.push(view)
  }
  return views
}

/** Selects tire lines with delivered units, delivery dates, and units in other returns. */
export async function selectReturnableLines(
  db: Database,
  orderId: number,
): Promise<
  {
    lineNo: number
    itemId: number
    name: string
    quantity: number
    delivered: number
    taken: number
    deliveredAt: Temporal.Instant | null
    weightLb: number
  }[]
> {
  return db
    .selectFrom('order_line as line')
    .innerJoin('item', 'item.id', 'line.item_id')
    .select((eb) => [
      'line.line_no as lineNo',
      'item.id as itemId',
      'line.description as name',
      'line.quantity',
      'item.weight_lb as weightLb',
      eb
        .selectFrom('stock_allocation as part')
        .innerJoin('shipment', (join) =>
          join
            .onRef('shipment.order_id', '=', 'part.order_id')
            .onRef('shipment.warehouse_id', '=', 'part.warehouse_id'),
        )
        .select((sub) =>
          sub.cast<number>(sub.fn.coalesce(sub.fn.sum('part.quantity'), sub.lit(0)), 'integer').as('sum'),
        )
        .whereRef('part.order_id', '=', 'line.order_id')
        .whereRef('part.line_no', '=', 'line.line_no')
        .where('shipment.state', '=', 'delivered')
        .$asScalar()
        .$notNull()
        .as('delivered'),
      eb
        .selectFrom('stock_allocation as part')
        .innerJoin('shipment', (join) =>
          join
            .onRef('shipment.order_id', '=', 'part.order_id')
            .onRef('shipment.warehouse_id', '=', 'part.warehouse_id'),
        )
        .select((sub) => sub.fn.max('shipment.delivered_at').as('last'))
        .whereRef('part.order_id', '=', 'line.order_id')
        .whereRef('part.line_no', '=', 'line.line_no')
        .where('shipment.state', '=', 'delivered')
        .$asScalar()
        .as('deliveredAt'),
      // Units in returns, or refunded by staff without one. Canceled units were never delivered.
      sql<number>`(
        (select count(*) from return_tire tire where tire.order_id = line.order_id and tire.line_no = line.line_no and tire.state <> 'canceled')
        + (select coalesce(sum(units), 0) from order_refund_line refunded join order_refund refund on refund.id = refunded.refund_id
           where refunded.order_id = line.order_id and refunded.line_no = line.line_no and refund.state <> 'declined' and refund.kind <> 'cancellation'
             and not exists (select from return_tire tire where tire.order_refund_id = refund.id)))::int`.as('taken'),
    ])
    .where('line.order_id', '=', orderId)
    .where('line.kind', '=', 'tire')
    .orderBy('line.line_no')
    .execute()
}

/**
 * The returns of an account's orders and of orders with its verified email, as plain data for JSON; pictures by name.
 */
export async function exportReturns(db: Database, of: { accountId: string; email: string | null }): Promise<object[]> {
  const { rows } = await sql<{ returns: object[] }>`
    select coalesce(json_agg(json_build_object('number', 'M-' || back.id, 'order', back.order_id, 'reason', back.reason, 'wants', back.wants, 'note', back.note,
      'requestedAt', back.requested_at, 'shipBy', back.ship_by_on, 'reorder', back.reorder_id, 'wasSaidToFit', back.was_said_to_fit, 'requestedBy', back.requested_by,
      'tires', (select json_agg(to_jsonb(tire) - array['return_id', 'order_id', 'label_url', 'parcel_ref'] order by tire.tire_no) from return_tire tire where tire.return_id = back.id),
      'events', (select json_agg(json_build_object('tire', event.tire_no, 'at', event.at, 'state', event.to_state, 'note', event.note) order by event.id) from return_event event where event.return_id = back.id),
      'refunds', (select json_agg(to_jsonb(refund) - array['return_id', 'by'] order by refund.no) from return_refund refund where refund.return_id = back.id),
      'photos', (select json_agg(photo.name order by photo.no) from return_photo photo where photo.return_id = back.id)) order by back.id), '[]') as returns
    from order_return back join sales_order o on o.id = back.order_id left join cart on cart.id = o.cart_id
    where cart.account_id = ${of.accountId}::uuid or lower(o.email) = ${of.email}`.execute(db)
  return rows[0]?.returns ?? []
}
