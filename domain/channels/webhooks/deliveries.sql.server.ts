/** The statements for events and their deliveries. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { ownerOf } from './endpoints.sql.server.ts'
import { testType, type DeliveryState, type SentType, type WebhookOwner } from './webhooks.ts'

export type WebhookEvent = {
  publicId: string
  type: SentType
  orderId: number | null
  shipmentId: string | null
  returnId: number | null
  bookingId: string | null
  shopId: number | null
  /** The tire and warehouse of changed stock; null for other events, and for stock of very many tires. */
  itemId: number | null
  warehouseId: number | null
  /** What is reported, such as the transfer of a refund in the ledger; null for tests and stock. */
  fact: string | null
  at: Temporal.Instant
}

/** A delivery that one process has taken, with what it needs to send it. */
export type ClaimedDelivery = WebhookEvent & {
  id: number
  /** Including this one. */
  attempts: number
  body: string | null
  endpointId: string
  owner: WebhookOwner
  url: string
  secretNo: number
  rotatedAt: Temporal.Instant | null
  /** The event's trace; null if not traced. */
  traceparent: string | null
}

/** The lease of a claimed delivery, which exceeds an attempt's duration. Afterward its process is considered dead. */
const leaseSeconds = 120
/** How many of one endpoint go out together, so that a slow one does not hold up the others. */
const perEndpoint = 5

/**
 * Claims due deliveries, longest due first, and counts the attempt. An order's deliveries are sequential, so only its
 * first unsettled one is claimed.
 */
export async function claimDeliveries(db: Database, now: Temporal.Instant, limit: number): Promise<ClaimedDelivery[]> {
  const at = sql`${now.toString()}::timestamptz`
  const { rows } = await sql<
    Omit<ClaimedDelivery, 'owner'> & { company_id: string | null; widget_id: string | null; is_store: boolean }
  >`
    with due as (
      select id from webhook_delivery where state = 'waiting' and next_at <= ${at} and id in (
        select id from (
          select delivery.id, delivery.next_at, row_number() over (partition by delivery.endpoint_id order by delivery.next_at, delivery.id) as turn
          from webhook_delivery delivery
          join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id and endpoint.state = 'active'
          where delivery.state = 'waiting' and delivery.next_at <= ${at}
            and not exists (
              select from webhook_delivery ahead
              where ahead.endpoint_id = delivery.endpoint_id and ahead.order_id = delivery.order_id and ahead.state = 'waiting' and ahead.id < delivery.id)
        ) as ready where turn <= ${perEndpoint} order by next_at, id limit ${limit}::int)
      for update skip locked),
    taken as (
      update webhook_delivery delivery
      set attempts = attempts + 1, next_at = ${at} + ${leaseSeconds} * interval '1 second', tried_at = ${at}, first_tried_at = coalesce(first_tried_at, ${at})
      from due where delivery.id = due.id
      returning delivery.*)
    select taken.id, taken.attempts, taken.body, taken.endpoint_id as "endpointId", endpoint.company_id, endpoint.widget_id, endpoint.is_store, endpoint.url,
      endpoint.secret_no as "secretNo", endpoint.rotated_at as "rotatedAt", event.public_id as "publicId", event.type, event.order_id as "orderId",
      event.shipment_id as "shipmentId", event.return_id as "returnId", event.booking_id as "bookingId", event.shop_id as "shopId",
      event.item_id as "itemId", event.warehouse_id as "warehouseId", event.fact, event.at, event.traceparent
    from taken join webhook_endpoint endpoint on endpoint.id = taken.endpoint_id join webhook_event event on event.id = taken.event_id
    order by taken.id`.execute(db)
  return rows.flatMap(({ company_id, widget_id, is_store, ...row }) => {
    const owner = ownerOf({ company_id, widget_id, is_store })
    return owner ? [{ ...row, owner }] : []
  })
}

/**
 * Closes a stock change event, so that later changes get another one. Blocks until concurrent transactions that changed
 * the stock end, so that later reads include their changes.
 */
export async function closeStockEvent(db: Database, publicId: string): Promise<void> {
  await db
    .updateTable('webhook_event')
    .set({ is_open: false })
    .where('public_id', '=', publicId)
    .where('is_open', '=', true)
    .execute()
}

/** Stores the body for all attempts of a delivery. */
export async function updateBody(db: Database, id: number, body: string): Promise<void> {
  await db.updateTable('webhook_delivery').set({ body }).where('id', '=', id).where('body', 'is', null).execute()
}

export type TryResult = { status: number | null; fault: string | null }

/**
 * Records an attempt's result. `next` is the retry time, or the final state. False if the delivery was settled or
 * claimed again since.
 */
export async function settleTry(
  tx: Tx,
  { id, attempts }: { id: number; attempts: number },
  { status, fault }: TryResult,
  next: { state: 'delivered' | 'dead'; at: Temporal.Instant } | { state: 'waiting'; nextAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set({
      state: next.state,
      status,
      fault,
      next_at: next.state === 'waiting' ? next.nextAt : null,
      settled_at: next.state === 'waiting' ? null : next.at,
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records when an endpoint's failures started, or that it works. */
export async function noteHealth(
  tx: Tx,
  endpointId: string,
  tried: { isGood: boolean; at: Temporal.Instant },
): Promise<Temporal.Instant | null> {
  const row = await tx
    .updateTable('webhook_endpoint')
    .set((eb) => ({
      failing_since: tried.isGood ? null : eb.fn.coalesce('failing_since', eb.val(tried.at)),
    }))
    .where('id', '=', endpointId)
    .returning('failing_since')
    .executeTakeFirst()
  return row?.failing_since ?? null
}

/** Turns pending deliveries into dead letters, for one endpoint or all inactive ones. */
export async function buryWaiting(
  db: Database,
  { endpointId, fault, at }: { endpointId: string | null; fault: 'paused' | 'removed'; at: Temporal.Instant },
): Promise<void> {
  await db
    .updateTable('webhook_delivery')
    .set({ state: 'dead', fault, next_at: null, settled_at: at })
    .where('state', '=', 'waiting')
    .where((eb) =>
      endpointId === null
        ? eb(
            'endpoint_id',
            'in',
            eb.selectFrom('webhook_endpoint').select('webhook_endpoint.id').where('webhook_endpoint.state', '=', fault),
          )
        : eb('endpoint_id', '=', endpointId),
    )
    .execute()
}

/** Writes a test event for one endpoint. */
export async function insertTest(tx: Tx, endpointId: string, at: Temporal.Instant): Promise<void> {
  const event = await tx
    .insertInto('webhook_event')
    .values({ type: testType, at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('webhook_delivery')
    .values({ event_id: event.id, endpoint_id: endpointId, state: 'waiting', next_at: at, created_at: at })
    .execute()
}

/** How many tests of an endpoint were written since. */
export async function countTests(tx: Tx, endpointId: string, since: Temporal.Instant): Promise<number> {
  const { count } = await tx
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .where('webhook_event.type', '=', testType)
    .where('webhook_event.at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Requeues dead letters of active endpoints, either one or all of an endpoint. Returns the number. */
export async function wake(
  tx: Tx,
  asked: { deliveryId: number } | { endpointId: string },
  at: Temporal.Instant,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', attempts: 0, next_at: at, settled_at: null, first_tried_at: null })
    .where('state', '=', 'dead')
    .where((eb) => ('deliveryId' in asked ? eb('id', '=', asked.deliveryId) : eb('endpoint_id', '=', asked.endpointId)))
    .where('endpoint_id', 'in', (eb) =>
      eb.selectFrom('webhook_endpoint').select('webhook_endpoint.id').where('webhook_endpoint.state', '=', 'active'),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export type Delivery = {
  id: number
  endpointId: string
  publicId: string
  type: SentType
  orderId: number | null
  at: Temporal.Instant
  state: DeliveryState
  attempts: number
  triedAt: Temporal.Instant | null
  nextAt: Temporal.Instant | null
  status: number | null
  fault: string | null
}

const deliveryColumns = [
  'webhook_delivery.id',
  'webhook_delivery.endpoint_id as endpointId',
  'webhook_event.public_id as publicId',
  'webhook_event.type',
  'webhook_event.order_id as orderId',
  'webhook_event.at',
  'webhook_delivery.state',
  'webhook_delivery.attempts',
  'webhook_delivery.tried_at as triedAt',
  'webhook_delivery.next_at as nextAt',
  'webhook_delivery.status',
  'webhook_delivery.fault',
] as const

/** Deliveries of an endpoint, newest first. */
export async function selectDeliveries(
  db: Database,
  endpointId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<Delivery[]> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
    .select(deliveryColumns)
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .$if(before !== null, (query) => query.where('webhook_delivery.id', '<', before))
    .orderBy('webhook_delivery.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, type: row.type as SentType, state: row.state as DeliveryState }))
}

/** A delivery of an endpoint, locked. */
export async function lockDelivery(
  tx: Tx,
  id: number,
): Promise<{ id: number; endpointId: string; state: DeliveryState } | undefined> {
  const row = await tx
    .selectFrom('webhook_delivery')
    .select(['id', 'endpoint_id as endpointId', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as DeliveryState }
}

export type DeadLetter = Delivery & {
  url: string
  /** Of a company's endpoint; of a partner's; otherwise it is the store's. */
  companyName: string | null
  widgetId: string | null
  isActive: boolean
}

/** Dead letters of all endpoints, newest first. */
export async function selectDeadLetters(
  db: Database,
  { before, limit }: { before: number | null; limit: number },
): Promise<DeadLetter[]> {
  const rows = await db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_event', 'webhook_event.id', 'webhook_delivery.event_id')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'webhook_delivery.endpoint_id')
    .leftJoin('company', 'company.id', 'webhook_endpoint.company_id')
    .select([
      ...deliveryColumns,
      'webhook_endpoint.url',
      'webhook_endpoint.state as endpointState',
      'company.name as companyName',
      'webhook_endpoint.widget_id as widgetId',
    ])
    .where('webhook_delivery.state', '=', 'dead')
    .where('webhook_endpoint.state', '<>', 'removed')
    .$if(before !== null, (query) => query.where('webhook_delivery.id', '<', before))
    .orderBy('webhook_delivery.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ endpointState, ...row }) => ({
    ...row,
    type: row.type as SentType,
    state: row.state as DeliveryState,
    isActive: endpointState === 'active',
  }))
}

/** Deletes events and deliveries that were settled before an instant. Returns how many events. */
export async function deleteOldEvents(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_event')
    .where('at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('id')
            .whereRef('webhook_delivery.event_id', '=', 'webhook_event.id')
            .where((eb) => eb.or([eb('state', '=', 'waiting'), eb('settled_at', '>=', before)])),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** How many deliveries were given up since `since`. */
export async function countDeadDeliveries(db: Database, since: Temporal.Instant): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_delivery where state = 'dead' and settled_at >= ${since}::timestamptz`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
