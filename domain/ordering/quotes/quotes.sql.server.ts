/** Queries for quotes. Over 400 lines: all statements about one table and its lines. */
import { sql, type ExpressionBuilder } from 'kysely'
import type { DB } from '#db/types.ts'
import type { Axle } from '#domain/payments/cart/cart.ts'
import type { AccountType, PriceBreakdown } from '#domain/pricing/pricing/pricing.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'
import { quoteLife, type QuoteAuthor, type QuoteFulfillment, type QuoteLineInput, type QuoteState } from './quotes.ts'

export type QuoteLine = {
  itemId: number
  axle: Axle
  quantity: number
  unitCents: number
  costCents: number | null
  coverage: boolean
}

/** The customer's street address; the ZIP is the quote's. */
export type QuoteAddress = { address1: string; address2: string | null; city: string; state: string }

export type QuoteLabel = Exclude<AccountType, 'none'>

/** A quote's creator as stored, either a staff name or a reference to an account. */
type Beginner = { name: string; accountId: string | null }

export type Quote = {
  id: number
  /** The first vehicle's row; null in that row. */
  mainId: number | null
  /** The vehicle's place in the quote, from 1. */
  position: number
  state: QuoteState
  revision: number
  replacesId: number | null
  version: number
  name: string
  email: string
  phone: string | null
  accountId: string | null
  /** Of the account; null without one, and for an account without an email. */
  accountEmail: string | null
  label: QuoteLabel
  vehicle: ChosenVehicle | null
  zip: string | null
  /** With an address, the link leads to the payment. Null if the customer enters the address. */
  address: QuoteAddress | null
  fulfillment: QuoteFulfillment
  shopId: number | null
  pickupWarehouseId: number | null
  carrierLocationId: number | null
  /** A suggested installation time at the shop, as `choiceValue` has it; null without one. */
  suggestion: string | null
  roadside: boolean
  note: string | null
  goodThrough: Temporal.PlainDate
  expiresAt: Temporal.Instant | null
  breakdown: PriceBreakdown | null
  totalCents: number | null
  author: QuoteAuthor
  /** The number of requested emails with the quote. */
  mails: number
  updatedAt: Temporal.Instant
  sentAt: Temporal.Instant | null
  approvedBy: string | null
  orderId: number | null
  lines: QuoteLine[]
}

/** Returns the quote with its tires by number; undefined if it doesn't exist. */
export async function selectQuote(db: Database, id: number): Promise<Quote | undefined> {
  const row = await db
    .selectFrom('sales_quote')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('account')
        .select('email')
        .whereRef('account.id', '=', 'sales_quote.account_id')
        .as('account_email'),
      ...authorColumns(eb),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const lines = await db
    .selectFrom('sales_quote_line')
    .select(['item_id as itemId', 'axle', 'quantity', 'unit_cents as unitCents', 'cost_cents as costCents', 'coverage'])
    .where('quote_id', '=', id)
    .orderBy('item_id')
    .execute()
  return {
    id: row.id,
    mainId: row.main_id,
    position: row.position,
    state: row.state as QuoteState,
    revision: row.revision,
    replacesId: row.replaces_id,
    version: row.version,
    name: row.name,
    email: row.email,
    phone: row.phone,
    accountId: row.account_id,
    accountEmail: row.account_email,
    label: row.price_label as QuoteLabel,
    vehicle: row.vehicle as ChosenVehicle | null,
    zip: row.zip,
    address:
      row.address1 !== null && row.city !== null && row.us_state !== null
        ? { address1: row.address1, address2: row.address2, city: row.city, state: row.us_state }
        : null,
    fulfillment: row.fulfillment as Quote['fulfillment'],
    shopId: row.shop_id,
    pickupWarehouseId: row.pickup_warehouse_id,
    carrierLocationId: row.carrier_location_id,
    suggestion: row.suggested_slot,
    roadside: row.roadside,
    note: row.note,
    goodThrough: Temporal.PlainDate.from(row.good_through_on),
    expiresAt: row.expires_at,
    breakdown: row.breakdown as unknown as PriceBreakdown | null,
    totalCents: row.total_cents,
    author: authorOf({ ...row, createdBy: row.created_by, authorAccountId: row.author_account_id }),
    mails: row.mails,
    updatedAt: row.updated_at,
    sentAt: row.sent_at,
    approvedBy: row.approved_by,
    orderId: row.order_id,
    lines: lines.map((line) => ({ ...line, axle: line.axle as Axle })),
  }
}

/** Name and email of the account that wrote a quote. */
export function authorColumns(eb: ExpressionBuilder<DB, 'sales_quote'>) {
  const account = eb.selectFrom('account').whereRef('account.id', '=', 'sales_quote.author_account_id')
  return [account.select('name').as('authorName'), account.select('email').as('authorEmail')] as const
}

/** The author in a row with `authorColumns`. */
export function authorOf({
  createdBy,
  authorAccountId: accountId,
  authorName: name,
  authorEmail: email,
}: {
  createdBy: string | null
  authorAccountId: string | null
  authorName: string | null
  authorEmail: string | null
}): QuoteAuthor {
  return accountId === null ? { kind: 'staff', name: createdBy ?? '' } : { kind: 'account', accountId, name, email }
}

/** The states of these quotes, by id. */
export async function selectStates(db: Database, ids: readonly number[]): Promise<Map<number, QuoteState>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('sales_quote')
    .select(['id', 'state'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, state }) => [id, state as QuoteState]))
}

/** Locks a quote until the transaction ends and reads it again. */
export async function lockQuote(tx: Tx, id: number): Promise<Quote | undefined> {
  await tx.selectFrom('sales_quote').select('id').where('id', '=', id).forUpdate().execute()
  return selectQuote(tx, id)
}

type NewDraft = {
  key: string
  name: string
  email: string
  phone: string | null
  accountId: string | null
  label: QuoteLabel
  goodThrough: Temporal.PlainDate
  by: Beginner
  at: Temporal.Instant
}

/** Starts a draft and returns its id; `isNew` is false when this form started one before. */
export async function insertDraft(tx: Tx, draft: NewDraft): Promise<{ id: number; isNew: boolean }> {
  const made = await tx
    .insertInto('sales_quote')
    .values({
      form_key: draft.key,
      name: draft.name,
      email: draft.email,
      phone: draft.phone,
      account_id: draft.accountId,
      price_label: draft.label,
      good_through_on: draft.goodThrough.toString(),
      created_at: draft.at,
      created_by: draft.by.accountId === null ? draft.by.name : null,
      author_account_id: draft.by.accountId,
      updated_at: draft.at,
    })
    .onConflict((conflict) => conflict.column('form_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) {
    await insertEvent(tx, { id: made.id, from: null, to: 'draft', by: draft.by.name, at: draft.at, note: null })
    return { id: made.id, isNew: true }
  }
  const { id } = await tx
    .selectFrom('sales_quote')
    .select('id')
    .where('form_key', '=', draft.key)
    .executeTakeFirstOrThrow()
  return { id, isNew: false }
}

/**
 * Copies a quote into a draft, as its next version or as another quote, and returns the draft's id. A quote has one next
 * version, and a form makes one copy.
 */
export async function insertCopy(
  tx: Tx,
  quote: Quote,
  draft: { key: string; isVersion: boolean; goodThrough: Temporal.PlainDate; by: string; at: Temporal.Instant },
): Promise<{ id: number; isNew: boolean }> {
  const known = await tx
    .selectFrom('sales_quote')
    .select('id')
    .$if(draft.isVersion, (of) => of.where('replaces_id', '=', quote.id))
    .$if(!draft.isVersion, (of) => of.where('form_key', '=', draft.key))
    .executeTakeFirst()
  if (known) return { id: known.id, isNew: false }
  const { id } = await tx
    .insertInto('sales_quote')
    .values({
      form_key: draft.key,
      ...(draft.isVersion && { replaces_id: quote.id, version: quote.version + 1 }),
      name: quote.name,
      email: quote.email,
      phone: quote.phone,
      account_id: quote.accountId,
      price_label: quote.label,
      vehicle: quote.vehicle === null ? null : JSON.stringify(quote.vehicle),
      zip: quote.zip,
      ...addressColumns(quote.address),
      fulfillment: quote.fulfillment,
      shop_id: quote.shopId,
      pickup_warehouse_id: quote.pickupWarehouseId,
      carrier_location_id: quote.carrierLocationId,
      suggested_slot: quote.suggestion,
      roadside: quote.roadside,
      note: quote.note,
      good_through_on: draft.goodThrough.toString(),
      created_at: draft.at,
      created_by: draft.by,
      updated_at: draft.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertLines(tx, id, quote.lines)
  const note = `${draft.isVersion ? 'Version' : 'Copy'} of Q-${quote.id}`
  await insertEvent(tx, { id, from: null, to: 'draft', by: draft.by, at: draft.at, note })
  return { id, isNew: true }
}

function addressColumns(address: QuoteAddress | null) {
  return {
    address1: address?.address1 ?? null,
    address2: address?.address2 ?? null,
    city: address?.city ?? null,
    us_state: address?.state ?? null,
  }
}

async function insertLines(tx: Tx, id: number, lines: readonly QuoteLine[]): Promise<void> {
  if (lines.length === 0) return
  await tx
    .insertInto('sales_quote_line')
    .values(
      lines.map((line) => ({
        quote_id: id,
        item_id: line.itemId,
        axle: line.axle,
        quantity: line.quantity,
        unit_cents: line.unitCents,
        cost_cents: line.costCents,
        coverage: line.coverage,
      })),
    )
    .execute()
}

/** Replaces a locked draft's fields and tires. */
export async function updateDraft(
  tx: Tx,
  id: number,
  draft: Pick<
    Quote,
    | 'name'
    | 'email'
    | 'phone'
    | 'accountId'
    | 'label'
    | 'vehicle'
    | 'zip'
    | 'address'
    | 'fulfillment'
    | 'shopId'
    | 'pickupWarehouseId'
    | 'carrierLocationId'
    | 'roadside'
    | 'note'
    | 'goodThrough'
  > & {
    suggestion?: string | null
    lines: readonly (QuoteLineInput & { costCents: number | null })[]
    at: Temporal.Instant
  },
): Promise<void> {
  await tx
    .updateTable('sales_quote')
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      name: draft.name,
      email: draft.email,
      phone: draft.phone,
      account_id: draft.accountId,
      price_label: draft.label,
      vehicle: draft.vehicle === null ? null : JSON.stringify(draft.vehicle),
      zip: draft.zip,
      ...addressColumns(draft.address),
      fulfillment: draft.fulfillment,
      shop_id: draft.shopId,
      pickup_warehouse_id: draft.pickupWarehouseId,
      carrier_location_id: draft.carrierLocationId,
      suggested_slot: draft.suggestion ?? null,
      roadside: draft.roadside,
      note: draft.note,
      good_through_on: draft.goodThrough.toString(),
      updated_at: draft.at,
    }))
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('sales_quote_line').where('quote_id', '=', id).execute()
  await insertLines(tx, id, draft.lines)
}

type Move = {
  id: number
  from: QuoteState | null
  to: QuoteState
  by: string
  at: Temporal.Instant
  note: string | null
}

/** Records a quote event; `from` and `to` are equal for a resent email. */
export function insertEvent(tx: Tx, { id, from, to, by, at, note }: Move): Promise<unknown> {
  return tx
    .insertInto('sales_quote_event')
    .values({ quote_id: id, at, from_state: from, to_state: to, actor: by, note })
    .execute()
}

/** Values a transition writes in addition to the state. */
type Sent = { breakdown: PriceBreakdown; expiresAt: Temporal.Instant; approvedBy: string | null }

/** Moves a locked quote to a state it may take, with an event. Returns false if it may not. */
export async function moveQuote(
  tx: Tx,
  { id, state, mainId }: Pick<Quote, 'id' | 'state' | 'mainId'>,
  to: QuoteState,
  {
    by,
    at,
    note = null,
    sent,
    orderId,
  }: { by: string; at: Temporal.Instant; note?: string | null; sent?: Sent; orderId?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sales_quote')
    .set({
      state: to,
      updated_at: at,
      ...(sent && {
        sent_at: at,
        expires_at: sent.expiresAt,
        breakdown: JSON.stringify(sent.breakdown),
        total_cents: sent.breakdown.totals.totalCents,
        approved_by: sent.approvedBy,
        mails: mainId === null ? 1 : 0,
      }),
      ...(orderId !== undefined && { order_id: orderId }),
    })
    .where('id', '=', id)
    .where('state', 'in', statesBefore(quoteLife, to))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await insertEvent(tx, { id, from: state, to, by, at, note })
  return true
}

/** An event of a quote. `vehicle` names the vehicle if it is about another one than the first. */
export type QuoteEvent = { at: Temporal.Instant; to: QuoteState; by: string; note: string | null; vehicle?: string }

/** Selects a quote's history, oldest first. */
export async function selectEvents(db: Database, id: number): Promise<QuoteEvent[]> {
  const rows = await db
    .selectFrom('sales_quote_event')
    .select(['at', 'to_state as to', 'actor as by', 'note'])
    .where('quote_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, to: row.to as QuoteState }))
}

/** Returns the quote that replaces this one, as draft or sent. */
export async function selectSuccessor(
  db: Database,
  id: number,
): Promise<{ id: number; state: QuoteState } | undefined> {
  const row = await db
    .selectFrom('sales_quote')
    .select(['id', 'state'])
    .where('replaces_id', '=', id)
    .executeTakeFirst()
  return row && { id: row.id, state: row.state as QuoteState }
}

/** Exports the quotes to an account or its verified email, as plain data for JSON without staff-only fields. */
export async function exportQuotes(
  db: Database,
  { accountId, email }: { accountId: string; email: string | null },
): Promise<object[]> {
  const { rows } = await sql<{ quotes: object[] }>`
    select coalesce(json_agg(json_build_object('number', 'Q-' || coalesce(quote.main_id, quote.id), 'vehicle', quote.vehicle ->> 'name', 'state', quote.state, 'name', quote.name, 'email', quote.email, 'phone', quote.phone, 'address', concat_ws(', ', quote.address1, quote.address2, quote.city, quote.us_state),
      'prices', quote.price_label, 'note', quote.note, 'sentAt', quote.sent_at, 'expiresAt', quote.expires_at, 'totalCents', quote.total_cents,
      'tires', (select json_agg(json_build_object('item', line.item_id, 'quantity', line.quantity, 'unitCents', line.unit_cents)) from sales_quote_line line where line.quote_id = quote.id)) order by quote.id), '[]') as quotes
    from sales_quote quote where quote.sent_at is not null and (quote.account_id = ${accountId}::uuid or lower(quote.email) = ${email})`.execute(
    db,
  )
  return rows[0]?.quotes ?? []
}
