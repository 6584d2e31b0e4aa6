/** The statements for documents that tell purchasing systems of their orders. */
import { sql } from 'kysely'
import type { PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { salesTaxNames } from '#domain/pricing/pricing/pricing.ts'
import type { DocumentFacts, InvoicedLine } from './purchasing-system.port.ts'
import type { DocumentKind, PurchasingChannel } from './purchasing.ts'

/** An order event that its buyer hasn't been notified of. */
export type Untold = {
  orderId: number
  kind: DocumentKind
  shipmentId: string | null
}

/**
 * Selects events to notify. These are a confirmed or canceled order, a parcel in transit, and the invoice after the
 * last parcel shipped. Only for companies that receive documents.
 */
export async function selectUntold(db: Database, limit: number): Promise<Untold[]> {
  const { rows } = await sql<Untold>`
    with told as (
      select purchase.order_id, sales_order.state, sales_order.released_at
      from purchasing_order purchase
      join purchasing_system system on system.company_id = purchase.company_id and system.document_url is not null
      join sales_order on sales_order.id = purchase.order_id)
    select found.* from (
      select order_id as "orderId", 'confirmation' as kind, null::uuid as "shipmentId" from told where state = 'confirmed'
      union all
      select order_id, 'rejection', null from told where state = 'canceled'
      union all
      select told.order_id, 'ship-notice', shipment.id from told join shipment on shipment.order_id = told.order_id
        where shipment.state in ('in-transit', 'delivered')
      union all
      select told.order_id, 'invoice', null from told join invoice on invoice.order_id = told.order_id
        where told.released_at is not null and told.state <> 'canceled' and invoice.state <> 'canceled'
          and not exists (select from shipment where order_id = told.order_id and state in ('processed', 'pending-pickup'))
    ) found
    where not exists (
      select from purchasing_document document
      where document.order_id = found."orderId" and document.kind = found.kind and document.shipment_id is not distinct from found."shipmentId")
    order by found."orderId", found.kind limit ${limit}`.execute(db)
  return rows
}

export type ToldOrder = {
  orderId: number
  buyerOrderId: string
  payloadId: string
  orderDate: string
  taxCents: number
  tax: PriceBreakdown['tax']
  /** The last day on which a parcel is expected. */
  deliveryOn: string | null
  lines: (InvoicedLine & { itemId: number | null })[]
  invoice: { netDays: number; loweredCents: number; dueCents: number } | null
}

export async function selectToldOrder(db: Database, orderId: number): Promise<ToldOrder> {
  const { rows } = await sql<ToldOrder>`
    select purchase.order_id as "orderId", purchase.buyer_order_id as "buyerOrderId", purchase.payload_id as "payloadId", purchase.order_date as "orderDate",
      sales_order.tax_cents as "taxCents", sales_order.breakdown->'tax' as tax,
      (select to_char(max(coalesce(expected_on, promised_on)), 'YYYY-MM-DD') from shipment where order_id = purchase.order_id and state <> 'canceled') as "deliveryOn",
      (select json_agg(json_build_object('lineNumber', line_number, 'partId', part_id, 'itemId', item_id, 'quantity', quantity, 'unit', unit, 'unitCents', unit_cents, 'name', name) order by line_number)
        from purchasing_order_line where order_id = purchase.order_id) as lines,
      (select json_build_object('netDays', net_days, 'loweredCents', lowered_cents, 'dueCents', amount_cents) from invoice where order_id = purchase.order_id) as invoice
    from purchasing_order purchase join sales_order on sales_order.id = purchase.order_id
    where purchase.order_id = ${orderId}::bigint`.execute(db)
  const row = rows[0]
  if (!row) throw new Error(`Order ${orderId} is of no purchasing system.`)
  return row
}

export type ToldParcel = {
  carrier: string
  trackingNumber: string
  deliveryOn: string | null
  units: { itemId: number; quantity: number }[]
}

export async function selectToldParcel(db: Database, shipmentId: string): Promise<ToldParcel | undefined> {
  const { rows } = await sql<ToldParcel>`
    select coalesce(carrier, 'Carrier') as carrier, tracking_number as "trackingNumber", to_char(coalesce(expected_on, promised_on), 'YYYY-MM-DD') as "deliveryOn",
      coalesce((select json_agg(json_build_object('itemId', line.item_id, 'quantity', allocation.quantity))
        from stock_allocation allocation join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
        where allocation.order_id = shipment.order_id and allocation.warehouse_id = shipment.warehouse_id), '[]'::json) as units
    from shipment where id = ${shipmentId}::uuid and tracking_number is not null`.execute(db)
  return rows[0]
}

/** Stores a document to send; undefined if it already exists. */
export async function insertDocument(
  tx: Tx,
  { orderId, kind, shipmentId }: Untold,
  { facts, at }: { facts: DocumentFacts; at: Temporal.Instant },
): Promise<string | undefined> {
  const row = await tx
    .insertInto('purchasing_document')
    .values({
      id: newTimedId(),
      order_id: orderId,
      kind,
      shipment_id: shipmentId,
      facts: JSON.stringify(facts),
      made_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export type KeptDocument = {
  id: string
  orderId: number
  buyerOrderId: string
  companyId: string
  kind: DocumentKind
  facts: DocumentFacts
  state: 'waiting' | 'sent' | 'dead'
  attempts: number
  lastError: string | null
  madeAt: Temporal.Instant
  isTest: boolean
  channel: PurchasingChannel
}

function documents(db: Database) {
  return db
    .selectFrom('purchasing_document as document')
    .innerJoin('purchasing_order as purchase', 'purchase.order_id', 'document.order_id')
    .select([
      'document.id',
      'document.order_id',
      'document.kind',
      'document.facts',
      'document.state',
      'document.attempts',
      'document.last_error',
      'document.made_at',
      'purchase.buyer_order_id',
      'purchase.company_id',
      'purchase.is_test',
      'purchase.channel',
    ])
}
type Row = Awaited<ReturnType<ReturnType<typeof documents>['executeTakeFirstOrThrow']>>

type Invoice = Extract<DocumentFacts, { kind: 'invoice' }>
/** Invoices were stored without the text of their tax before 2026-11-26. */
type StoredFacts = Exclude<DocumentFacts, Invoice> | (Omit<Invoice, 'taxText'> & { taxText?: string })

function factsOf(stored: StoredFacts): DocumentFacts {
  return stored.kind === 'invoice' ? { ...stored, taxText: stored.taxText ?? salesTaxNames.charged } : stored
}

function toDocument(row: Row): KeptDocument {
  return {
    id: row.id,
    orderId: row.order_id,
    buyerOrderId: row.buyer_order_id,
    companyId: row.company_id,
    kind: row.kind as DocumentKind,
    // Written only by `insertDocument`.
    facts: factsOf(row.facts as unknown as StoredFacts),
    state: row.state as KeptDocument['state'],
    attempts: row.attempts,
    lastError: row.last_error,
    madeAt: row.made_at,
    isTest: row.is_test,
    channel: row.channel as PurchasingChannel,
  }
}

export async function selectDocument(db: Database, id: string): Promise<KeptDocument | undefined> {
  const row = await documents(db).where('document.id', '=', id).executeTakeFirst()
  return row && toDocument(row)
}

/** The last documents of a company, newest first. */
export async function selectDocumentsOf(db: Database, companyId: string, limit: number): Promise<KeptDocument[]> {
  const rows = await documents(db)
    .where('purchase.company_id', '=', companyId)
    .orderBy('document.made_at', 'desc')
    .orderBy('document.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toDocument)
}

/** Selects documents that exhausted their retries, oldest first. */
export async function selectDead(db: Database, limit: number): Promise<KeptDocument[]> {
  const rows = await documents(db)
    .where('document.state', '=', 'dead')
    .orderBy('document.made_at')
    .limit(limit)
    .execute()
  return rows.map(toDocument)
}

export async function updateSent(db: Database, id: string, at: Temporal.Instant): Promise<void> {
  await db
    .updateTable('purchasing_document')
    .set({ state: 'sent', sent_at: at, last_error: null })
    .where('id', '=', id)
    .execute()
}

/** Counts a failed attempt of a pending document; returns the number of attempts. */
export async function updateFailed(
  tx: Tx,
  id: string,
  { words, most }: { words: string; most: number },
): Promise<number | undefined> {
  const row = await tx
    .updateTable('purchasing_document')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      last_error: words.slice(0, 300),
      state: sql<string>`case when attempts + 1 >= ${most}::int then 'dead' else 'waiting' end`,
    }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts
}

/** Requeues a document; false if it isn't left to staff. */
export async function updateRevived(tx: Tx, id: string): Promise<boolean> {
  const result = await tx
    .updateTable('purchasing_document')
    .set({ state: 'waiting', attempts: 0 })
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
