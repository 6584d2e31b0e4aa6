/** Queries for fraud rules, and for their results. */
import { sql, type RawBuilder } from 'kysely'
import type { FraudKind, FraudOutcome, FraudReason, FraudRule, FraudSubject } from './fraud-rules.ts'
import type { FraudRuleInput } from './rule-form.ts'
import type { Database, Tx } from '#platform/db.ts'

/** The rules, in the order they were made; few, because staff make them. */
export async function selectRules(db: Database): Promise<FraudRule[]> {
  const rows = await db.selectFrom('fraud_rule').selectAll().orderBy('id').limit(mostRules).execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as FraudKind,
    subject: row.subject as FraudSubject | null,
    most: row.most,
    minutes: row.minutes,
    miles: row.miles,
    fromCents: row.from_cents,
    words: row.words,
    homesOnly: row.homes_only,
    sparesCompanies: row.spares_companies,
    outcome: row.outcome as FraudOutcome,
    isOn: row.is_on,
    version: row.version,
  }))
}

/** More would make placing an order slow. */
export const mostRules = 60

/** Serializes rule changes. */
export async function lockRules(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('fraud_rule'))`.execute(tx)
}

type Change = { by: string; at: Temporal.Instant }

/** Adds a rule and returns its id. */
export async function insertRule(tx: Tx, rule: FraudRuleInput, change: Change): Promise<number> {
  const { id } = await tx
    .insertInto('fraud_rule')
    .values({ kind: rule.kind, ...columnsOf(rule, change) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes a rule, unless someone else changed it since `version`. False then. */
export async function updateRule(
  tx: Tx,
  { id, version }: { id: number; version: number },
  rule: FraudRuleInput,
  change: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('fraud_rule')
    .set({ ...columnsOf(rule, change), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('kind', '=', rule.kind)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

function columnsOf(rule: FraudRuleInput, { by, at }: Change) {
  return {
    subject: rule.subject,
    most: rule.most,
    minutes: rule.minutes,
    miles: rule.miles,
    from_cents: rule.fromCents,
    words: rule.words,
    homes_only: rule.homesOnly,
    spares_companies: rule.sparesCompanies,
    outcome: rule.outcome,
    is_on: rule.isOn,
    updated_by: by,
    updated_at: at,
  }
}

/** By what an order is looked up. */
export type LookUp = {
  cartId: string
  accountId: string | null
  email: string
  /** The charge that pays for it; null for an invoice. */
  paymentId: string | null
  street: string
  zip: string
  billingZip: string
  at: Temporal.Instant
}

/**
 * Runs all rule lookups in one query, by rule. Every count uses an index and is bounded. It stops at the rule's limit
 * times the rule's factor, and is then divided by that factor.
 */
export async function lookUp(
  tx: Tx,
  rules: readonly (FraudRule & { factor: number })[],
  order: LookUp,
): Promise<Map<number, number>> {
  const parts = rules.flatMap((rule) => {
    const value = valueOf(rule, order)
    return value ? [sql`select ${rule.id}::int as rule, (${value}) as value`] : []
  })
  if (parts.length === 0) return new Map()
  const { rows } = await sql<{ rule: number; value: number | null }>`
    with paid as (select network_key, card_fingerprint from payment where id = ${order.paymentId}::uuid)
    ${sql.join(parts, sql` union all `)}`.execute(tx)
  return new Map(rows.map(({ rule, value }) => [rule, value ?? 0]))
}

function valueOf(rule: FraudRule & { factor: number }, order: LookUp): RawBuilder<unknown> | undefined {
  switch (rule.kind) {
    case 'orders':
      return bounded(ordersOf(rule, order), rule)
    case 'declines':
      return bounded(declinesOf(rule, order), rule)
    case 'cards':
      return sql`select count(distinct card_fingerprint)::int from (
        select card_fingerprint from card_decline where cart_id = ${order.cartId}::uuid and at > ${since(rule, order)} limit 200) tried`
    case 'ship-to-far':
      return sql`select (7918 * asin(sqrt(power(sin(radians(there.latitude - here.latitude) / 2), 2)
          + cos(radians(here.latitude)) * cos(radians(there.latitude)) * power(sin(radians(there.longitude - here.longitude) / 2), 2))))::int
        from zip here, zip there where here.zip = ${order.zip} and there.zip = ${order.billingZip}`
    case 'first-order':
      return sql`select case when exists (
          select from sales_order where customer_id = (select id from customer where lower(email) = lower(${order.email})) and state <> 'canceled')
        or exists (select from sales_order where buyer_id = ${order.accountId}::uuid and state <> 'canceled') then 0 else 1 end`
    case 'resale':
    case 'dealer-names':
    case 'shop-address':
      return undefined
  }
}

function bounded(rows: RawBuilder<unknown> | undefined, { most, factor }: FraudRule & { factor: number }) {
  return rows && sql`select (count(*) / ${factor}::int)::int from (${rows} limit ${(most ?? 0) * factor}::int) counted`
}

function ordersOf(rule: FraudRule, order: LookUp): RawBuilder<unknown> | undefined {
  const from = since(rule, order)
  switch (rule.subject) {
    case 'account':
      return sql`select from sales_order where buyer_id = ${order.accountId}::uuid and placed_at > ${from}`
    case 'email':
      return sql`select from sales_order where customer_id = (select id from customer where lower(email) = lower(${order.email})) and placed_at > ${from}`
    case 'network':
      return sql`select from payment where network_key = (select network_key from paid) and created_at > ${from} and order_id is not null`
    case 'card':
      return sql`select from payment where card_fingerprint = (select card_fingerprint from paid) and created_at > ${from} and order_id is not null`
    case 'address':
      return sql`select from sales_order where fulfillment = 'home' and ship_to_zip = ${order.zip} and lower(ship_to_street) = lower(${order.street}) and placed_at > ${from}`
    case null:
      return undefined
  }
}

function declinesOf(rule: FraudRule, order: LookUp): RawBuilder<unknown> | undefined {
  const from = since(rule, order)
  switch (rule.subject) {
    case 'account':
      return sql`select from card_decline where account_id = ${order.accountId}::uuid and at > ${from}`
    case 'email':
      return sql`select from card_decline where lower(email) = lower(${order.email}) and at > ${from}`
    case 'network':
      return sql`select from card_decline where network_key = (select network_key from paid) and at > ${from}`
    case 'card':
    case 'address':
    case null:
      return undefined
  }
}

function since({ minutes }: FraudRule, { at }: LookUp): RawBuilder<unknown> {
  return sql`${at.subtract({ minutes: minutes ?? 0 }).toString()}::timestamptz`
}

/** The streets of the shops in a ZIP; few. */
export async function selectShopStreets(tx: Tx, zip: string): Promise<string[]> {
  const rows = await tx.selectFrom('shop').select('street').where('zip', '=', zip).limit(200).execute()
  return rows.map(({ street }) => street)
}

/** What the rules said of an order, to be kept. */
export type NewScreening = {
  id: string
  cartId: string
  orderId: number | null
  outcome: Exclude<FraudOutcome, 'allow'>
  reasons: readonly FraudReason[]
  email: string
  totalCents: number
  at: Temporal.Instant
  dueAt: Temporal.Instant | null
}

/** Stores the screening result; a previously refused cart gets the latest reasons. */
export async function insertScreening(tx: Tx, screening: NewScreening): Promise<void> {
  const at = screening.at.toString()
  await sql`
    insert into order_screening (id, cart_id, order_id, outcome, reasons, email, total_cents, at, due_at)
    values (${screening.id}::uuid, ${screening.cartId}::uuid, ${screening.orderId}::bigint, ${screening.outcome}, ${JSON.stringify(screening.reasons)}::jsonb,
      ${screening.email}, ${screening.totalCents}::int, ${at}::timestamptz, ${screening.dueAt?.toString() ?? null}::timestamptz)
    on conflict (cart_id) where outcome = 'refuse' do update
      set reasons = excluded.reasons, email = excluded.email, total_cents = excluded.total_cents, at = excluded.at`.execute(
    tx,
  )
}

/** An order's screening result, and the staff decision. */
export type Screening = {
  id: string
  orderId: number | null
  outcome: Exclude<FraudOutcome, 'allow'>
  reasons: FraudReason[]
  email: string
  totalCents: number
  at: Temporal.Instant
  dueAt: Temporal.Instant | null
  decision: 'accepted' | 'canceled' | null
  decidedAt: Temporal.Instant | null
  decidedBy: string | null
  note: string | null
  /** Null without an order. */
  orderState: string | null
}

/** Returns one order's screening result. */
export async function selectScreeningOf(db: Database, orderId: number): Promise<Screening | undefined> {
  const row = await screenings(db).where('screening.order_id', '=', orderId).executeTakeFirst()
  return row && toScreening(row)
}

/** Locks the screening of an order; the order is locked first. */
export async function lockScreeningOf(tx: Tx, orderId: number): Promise<Screening | undefined> {
  const row = await screenings(tx).where('screening.order_id', '=', orderId).forUpdate('screening').executeTakeFirst()
  return row && toScreening(row)
}

/** Orders that wait for staff, those due first; with `by`, only those due by then. */
export async function selectHeld(
  db: Database,
  { by, limit }: { by?: Temporal.Instant; limit: number },
): Promise<(Screening & { orderId: number })[]> {
  const rows = await screenings(db)
    .where('screening.outcome', '=', 'review')
    .where('screening.decision', 'is', null)
    .where('sales_order.state', 'in', ['confirmed', 'needs-confirmation'])
    .$if(by !== undefined, (query) => query.where('screening.due_at', '<=', by ?? null))
    .orderBy('screening.due_at')
    .limit(limit)
    .execute()
  return rows.map(toScreening).flatMap((one) => (one.orderId === null ? [] : [{ ...one, orderId: one.orderId }]))
}

/** Selects recent screening results by outcome, newest first. */
export async function selectScreenings(
  db: Database,
  { outcome, before, limit }: { outcome: Screening['outcome']; before: Temporal.Instant | null; limit: number },
): Promise<Screening[]> {
  const rows = await screenings(db)
    .where('screening.outcome', '=', outcome)
    .$if(before !== null, (query) => query.where('screening.at', '<', before))
    .orderBy('screening.at', 'desc')
    .orderBy('screening.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toScreening)
}

/** Records the decision by staff or by the deadline. */
export async function updateToDecided(
  tx: Tx,
  id: string,
  decided: { decision: 'accepted' | 'canceled'; by: string; note: string | null; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('order_screening')
    .set({ decision: decided.decision, decided_by: decided.by, decided_at: decided.at, note: decided.note })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .executeTakeFirstOrThrow()
}

function screenings(db: Database) {
  return db
    .selectFrom('order_screening as screening')
    .leftJoin('sales_order', 'sales_order.id', 'screening.order_id')
    .select([
      'screening.id',
      'screening.order_id as orderId',
      'screening.outcome',
      'screening.reasons',
      'screening.email',
      'screening.total_cents as totalCents',
      'screening.at',
      'screening.due_at as dueAt',
      'screening.decision',
      'screening.decided_at as decidedAt',
      'screening.decided_by as decidedBy',
      'screening.note',
      'sales_order.state as orderState',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof screenings>['execute']>>[number]

function toScreening(row: Row): Screening {
  return {
    ...row,
    outcome: row.outcome as Screening['outcome'],
    reasons: row.reasons as unknown as FraudReason[],
    decision: row.decision as Screening['decision'],
  }
}
