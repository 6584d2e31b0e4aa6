/** The statements of reconciliation. */
import { sql } from 'kysely'
import { takenOff } from '#domain/payments/payments/payments.server.ts'
import type { PaymentProviderName } from '#domain/payments/payments/payments.ts'
import type { Movement } from '#domain/payments/payments/provider-records.port.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { DayState, Difference, DifferenceKind, MatchedMovement, OrderCash, OwnMovement } from './reconciliation.ts'

export type OfDay = { provider: PaymentProviderName; day: Temporal.PlainDate }

/** Selects provider references for charges by our ids, skipping charges of other providers. */
export async function selectChargeRefs(
  db: Database,
  provider: PaymentProviderName,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('payment')
    .select(['id', 'provider_ref'])
    .where('provider', '=', provider)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.flatMap(({ id, provider_ref: ref }) => (ref === null ? [] : [[id, ref] as const])))
}

/** The references of the charges that refunds with these references were of. */
export async function selectRefundedRefs(
  db: Database,
  provider: PaymentProviderName,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (refs.length === 0) return new Map()
  const { rows } = await sql<{ asked: string; ref: string }>`
    select asked.ref as asked, payment.provider_ref as ref from unnest(${[...new Set(refs)]}::text[]) as asked(ref)
      join charge_refund refund on refund.provider_ref in (asked.ref, ${provider} || ':' || asked.ref)
      join payment on payment.id = refund.payment_id and payment.provider = ${provider}`.execute(db)
  return new Map(rows.map(({ asked, ref }) => [asked, ref]))
}

/** Inserts balance transactions. Existing ones are unchanged, except that their charge is added once known. */
export async function insertMovements(
  db: Database,
  provider: PaymentProviderName,
  listed: readonly Movement[],
): Promise<void> {
  // A provider may list the same twice on a page.
  const movements = [...new Map(listed.map((one) => [one.ref, one])).values()]
  if (movements.length === 0) return
  await db
    .insertInto('provider_movement')
    .values(
      movements.map((movement) => ({
        provider,
        ref: movement.ref,
        kind: movement.kind,
        at: movement.at,
        amount_cents: movement.amountCents,
        fee_cents: movement.feeCents,
        charge_ref: movement.chargeRef,
        refund_ref: movement.refundRef,
        dispute_ref: movement.disputeRef,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'ref'])
        .doUpdateSet((eb) => ({ charge_ref: eb.ref('excluded.charge_ref') }))
        .where('provider_movement.charge_ref', 'is', null),
    )
    .execute()
}

/** Serializes reconciliation writes per provider. */
export async function lockProvider(tx: Tx, provider: PaymentProviderName): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`reconciliation ${provider}`}))`.execute(tx)
}

function spanOf(day: Temporal.PlainDate): { from: string; until: string } {
  const start = (of: Temporal.PlainDate) => of.toZonedDateTime('UTC').toInstant().toString()
  return { from: start(day), until: start(day.add({ days: 1 })) }
}

/**
 * The amount received for a charge. A lender pays in parts, and amounts removed from the contract before they were due
 * are excluded.
 */
const receivedCents = sql`case when payment.provider = 'lender'
  then coalesce((select sum(amount_cents) from financed_delivery where payment_id = payment.id), 0) else payment.captured_cents end`

/** The movements of a day with what the store has for each. */
export async function selectMatched(tx: Tx, { provider, day }: OfDay): Promise<MatchedMovement[]> {
  const { from, until } = spanOf(day)
  const { rows } = await sql<MatchedMovement>`
    select movement.ref, movement.kind, movement.amount_cents as "amountCents", movement.fee_cents as "feeCents", movement.charge_ref as "chargeRef",
      case when payment.id is not null then json_build_object('orderId', payment.order_id, 'capturedCents', ${receivedCents},
        'movedCents', (select sum(amount_cents) from provider_movement where charge_ref = movement.charge_ref and kind = 'charge'),
        'isLatest', not exists (select from provider_movement later where later.charge_ref = movement.charge_ref and later.kind = 'charge' and (later.at, later.ref) > (movement.at, movement.ref)),
        'otherRefundCents', payment.refunded_cents - coalesce((select sum(amount_cents) from charge_refund where payment_id = payment.id and state = 'done'), 0),
        'isClaimed', (payment.state = 'captured' or ${receivedCents} > 0) and (payment.order_id is not null or payment.claimed_at is not null)) end as charge,
      case when refund.id is not null then json_build_object('cents', refund.amount_cents) end as refund,
      case when dispute.id is not null then json_build_object('withdrawnCents', dispute.withdrawn_cents, 'reinstatedCents', dispute.reinstated_cents, 'feeCents', dispute.fee_cents,
        'feesMovedCents', (select -sum(fee.amount_cents) from provider_movement fee where fee.provider = movement.provider and fee.kind = 'fee' and fee.dispute_ref = movement.dispute_ref)) end as dispute
    from provider_movement movement
      left join payment on payment.provider_ref = movement.charge_ref
      left join charge_refund refund on refund.payment_id = payment.id and refund.provider_ref in (movement.refund_ref, movement.provider || ':' || movement.refund_ref)
      left join dispute on dispute.provider = movement.provider and dispute.provider_ref = movement.dispute_ref
    where movement.provider = ${provider} and movement.at >= ${from}::timestamptz and movement.at < ${until}::timestamptz
    order by movement.at, movement.ref`.execute(tx)
  return rows
}

/** Charges and refunds from the demo data. The provider lists only what happened to them afterward. */
const sampleCharges = String.raw`pi\_sample\_(captured|refunded)\_%`
const sampleRefunds = String.raw`re\_sample\_%`

/** A delivery is recorded within so many days after the lender listed it. */
const daysToList = 3

/** What the store captured and gave back on a day, and whether the provider lists it. */
export async function selectOwn(tx: Tx, { provider, day }: OfDay): Promise<OwnMovement[]> {
  const { from, until } = spanOf(day)
  const { rows } = await sql<OwnMovement>`
    select 'charge' as kind, payment.provider_ref as ref, payment.order_id as "orderId", payment.captured_cents as cents,
      exists (select from provider_movement where charge_ref = payment.provider_ref and kind = 'charge') as "isMoved"
    from payment_event event join payment on payment.id = event.payment_id
    where event.to_state = 'captured' and event.from_state <> 'captured' and event.at >= ${from}::timestamptz and event.at < ${until}::timestamptz
      and payment.provider = ${provider} and payment.provider <> 'lender' and payment.provider_ref not similar to ${sampleCharges}
    union all
    -- A lender pays in parts, and lists each when it is told of the delivery.
    select 'charge', payment.provider_ref, payment.order_id, delivery.amount_cents,
      exists (select from provider_movement where charge_ref = payment.provider_ref and kind = 'charge' and at >= delivery.received_at - make_interval(days => ${daysToList}))
    from financed_delivery delivery join payment on payment.id = delivery.payment_id
    where delivery.received_at >= ${from}::timestamptz and delivery.received_at < ${until}::timestamptz and payment.provider = ${provider}
    union all
    select 'refund', refund.provider_ref, payment.order_id, refund.amount_cents,
      exists (select from provider_movement where refund.provider_ref in (refund_ref, provider || ':' || refund_ref) and kind = 'refund')
    from charge_refund refund join payment on payment.id = refund.payment_id
    where refund.state = 'done' and refund.done_at >= ${from}::timestamptz and refund.done_at < ${until}::timestamptz and payment.provider = ${provider}
      and refund.provider_ref not like ${sampleRefunds} and refund.provider_ref <> ${takenOff}`.execute(tx)
  return rows
}

/**
 * Selects orders with a balance transaction on the day and ledger cash that differs from their charges, refunds, and
 * disputes.
 */
export async function selectOffCash(tx: Tx, { provider, day }: OfDay): Promise<OrderCash[]> {
  const { from, until } = spanOf(day)
  const { rows } = await sql<OrderCash>`
    with touched as (
      select distinct payment.order_id as id from provider_movement movement join payment on payment.provider_ref = movement.charge_ref
      where movement.provider = ${provider} and movement.at >= ${from}::timestamptz and movement.at < ${until}::timestamptz and payment.order_id is not null)
    select id as "orderId", ledger.cents as "ledgerCents", owed.cents as "owedCents"
    from touched,
      lateral (select coalesce(sum(amount_cents), 0)::int as cents from ledger_entry where order_id = touched.id and account = 'cash') as ledger,
      lateral (select (coalesce((select sum(captured_cents - refunded_cents) from payment where order_id = touched.id), 0)
        + coalesce((select sum(paid_cents) from invoice where order_id = touched.id), 0)
        - coalesce((select sum(withdrawn_cents - reinstated_cents + fee_cents) from dispute where order_id = touched.id), 0))::int as cents) as owed
    where ledger.cents <> owed.cents`.execute(tx)
  return rows
}

export type DaySums = {
  movements: number
  chargedCents: number
  refundedCents: number
  disputedCents: number
  feeCents: number
}

export type ReconciledDay = DaySums &
  OfDay & {
    state: DayState
    reconciledAt: Temporal.Instant
    resolvedAt: Temporal.Instant | null
    resolvedBy: string | null
    note: string | null
  }

function days(db: Database) {
  return db
    .selectFrom('reconciled_day')
    .select([
      'provider',
      'moved_on as day',
      'state',
      'movements',
      'charged_cents as chargedCents',
      'refunded_cents as refundedCents',
      'disputed_cents as disputedCents',
      'fee_cents as feeCents',
      'reconciled_at as reconciledAt',
      'resolved_at as resolvedAt',
      'resolved_by as resolvedBy',
      'note',
    ])
}

type DayRow = Awaited<ReturnType<ReturnType<typeof days>['execute']>>[number]

function toDay(row: DayRow): ReconciledDay {
  return {
    ...row,
    provider: row.provider as PaymentProviderName,
    day: Temporal.PlainDate.from(row.day),
    state: row.state as DayState,
  }
}

export async function selectDay(db: Database, { provider, day }: OfDay): Promise<ReconciledDay | undefined> {
  const row = await days(db).where('provider', '=', provider).where('moved_on', '=', day.toString()).executeTakeFirst()
  return row && toDay(row)
}

/** So many days before `before` with all their providers, the newest first. */
export async function selectDays(
  db: Database,
  { before, limit }: { before: Temporal.PlainDate | null; limit: number },
): Promise<ReconciledDay[]> {
  const rows = await days(db)
    .where('moved_on', 'in', (eb) =>
      eb
        .selectFrom('reconciled_day')
        .select('moved_on')
        .distinct()
        .$if(before !== null, (query) => query.where('moved_on', '<', before?.toString() ?? ''))
        .orderBy('moved_on', 'desc')
        .limit(limit),
    )
    .orderBy('moved_on', 'desc')
    .orderBy('provider')
    .execute()
  return rows.map(toDay)
}

/** Days that do not balance, the oldest first. */
export async function selectOpenDays(db: Database, limit: number): Promise<ReconciledDay[]> {
  const rows = await days(db).where('state', '=', 'open').orderBy('moved_on').limit(limit).execute()
  return rows.map(toDay)
}

export async function selectDifferences(db: Database, { provider, day }: OfDay): Promise<Difference[]> {
  const rows = await db
    .selectFrom('reconciled_difference')
    .select(['kind', 'ref', 'order_id as orderId', 'provider_cents as providerCents', 'store_cents as storeCents'])
    .where('provider', '=', provider)
    .where('moved_on', '=', day.toString())
    .orderBy('kind')
    .orderBy('ref')
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as DifferenceKind }))
}

/** Replaces a day's differences. Clears the day's resolution. */
export async function replaceDay(
  tx: Tx,
  { provider, day }: OfDay,
  found: DaySums & { state: DayState; differences: readonly Difference[]; at: Temporal.Instant },
): Promise<void> {
  const of = { provider, moved_on: day.toString() }
  await tx.deleteFrom('reconciled_day').where('provider', '=', provider).where('moved_on', '=', of.moved_on).execute()
  await tx
    .insertInto('reconciled_day')
    .values({
      ...of,
      state: found.state,
      movements: found.movements,
      charged_cents: found.chargedCents,
      refunded_cents: found.refundedCents,
      disputed_cents: found.disputedCents,
      fee_cents: found.feeCents,
      reconciled_at: found.at,
    })
    .execute()
  if (found.differences.length === 0) return
  await tx
    .insertInto('reconciled_difference')
    .values(
      found.differences.map((one) => ({
        ...of,
        kind: one.kind,
        ref: one.ref,
        order_id: one.orderId,
        provider_cents: one.providerCents,
        store_cents: one.storeCents,
      })),
    )
    .execute()
}

/** Resolves a day that does not balance. False if it does, or was resolved before. */
export async function updateToResolved(
  tx: Tx,
  { provider, day }: OfDay,
  { by, note, at }: { by: string; note: string; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reconciled_day')
    .set({ state: 'resolved', resolved_by: by, resolved_at: at, note })
    .where('provider', '=', provider)
    .where('moved_on', '=', day.toString())
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
