/** The statements for parts of charges that are given back. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'

/** One of an order's charges. `leftCents` is its unpromised and unrefunded amount. */
export type ChargePart = { paymentId: string; isCaptured: boolean; amountCents: number; leftCents: number }

/**
 * An order's refundable charges, starting with the original one, then charges for paid edits. The order counts as
 * captured only if all of them are.
 */
export type RefundableCharge = Omit<ChargePart, 'paymentId'> & { parts: readonly ChargePart[] }

/**
 * Locks an order's charges and returns their unpromised and unrefunded amounts; undefined if not authorized or
 * captured. Blocks captures until the transaction ends.
 */
export function lockRefundableCharge(tx: Tx, orderId: number): Promise<RefundableCharge | undefined> {
  return selectRefundable(tx, orderId, { isLocked: true })
}

/** The same without a lock, to show it. */
export function findRefundableCharge(db: Database, orderId: number): Promise<RefundableCharge | undefined> {
  return selectRefundable(db, orderId, { isLocked: false })
}

async function selectRefundable(
  db: Database,
  orderId: number,
  { isLocked }: { isLocked: boolean },
): Promise<RefundableCharge | undefined> {
  const charges = await db
    .selectFrom('payment')
    .select(['id', 'state', 'amount_cents', 'captured_cents', 'refunded_cents'])
    .where('order_id', '=', orderId)
    .where('state', 'in', ['authorized', 'captured'])
    .orderBy('order_change_id', (order) => order.asc().nullsFirst())
    .$if(isLocked, (query) => query.forUpdate())
    .execute()
  if (charges.length === 0) return undefined
  const promised = await db
    .selectFrom('charge_refund')
    .select((eb) => ['payment_id', eb.fn.sum<number>('amount_cents').as('cents')])
    .where(
      'payment_id',
      'in',
      charges.map(({ id }) => id),
    )
    .where('state', '=', 'promised')
    .groupBy('payment_id')
    .execute()
  const promisedOf = new Map(promised.map((row) => [row.payment_id, row.cents]))
  const parts = charges.map((charge): ChargePart => {
    const isCaptured = charge.state === 'captured'
    const amountCents = isCaptured ? charge.captured_cents : charge.amount_cents
    const leftCents = amountCents - charge.refunded_cents - (promisedOf.get(charge.id) ?? 0)
    return { paymentId: charge.id, isCaptured, amountCents, leftCents }
  })
  const sum = (key: 'amountCents' | 'leftCents') => parts.reduce((total, part) => total + part[key], 0)
  return {
    isCaptured: parts.every(({ isCaptured }) => isCaptured),
    amountCents: sum('amountCents'),
    leftCents: sum('leftCents'),
    parts,
  }
}

/**
 * Lowers the amount to capture of an authorized charge, and records the change. Returns false if it is no longer
 * authorized.
 */
export async function updateToLowered(
  tx: Tx,
  paymentId: string,
  change: { fromCents: number; toCents: number; actor: string; at: Temporal.Instant },
): Promise<boolean> {
  const at = change.at.toString()
  const note = `lowered from ${formatCents(change.fromCents)} to ${formatCents(change.toCents)}`
  const result = await sql`
    with lowered as (
      update payment set amount_cents = ${change.toCents}::int, updated_at = ${at}::timestamptz
      where id = ${paymentId}::uuid and state = 'authorized' returning id, state)
    insert into payment_event (payment_id, at, from_state, to_state, actor, note)
    select id, ${at}::timestamptz, state, state, ${change.actor}, ${note} from lowered`.execute(tx)
  return result.numAffectedRows === 1n
}

/** Writes down a refund that is promised. Throws on `refunds_within_charge` if the charge has not that much left. */
export async function insertRefund(
  tx: Tx,
  refund: { id: string; paymentId: string; amountCents: number; key: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('charge_refund')
    .values({
      id: refund.id,
      payment_id: refund.paymentId,
      amount_cents: refund.amountCents,
      key: refund.key,
      promised_at: refund.at,
    })
    .execute()
}

export type RefundState = 'promised' | 'done' | 'refused'

/** A refund with its charge; `givenBackCents` is what of the charge was given back before. */
export type ChargeRefund = {
  id: string
  state: RefundState
  attempt: number
  amountCents: number
  paymentId: string
  providerRef: string | null
  isCaptured: boolean
  givenBackCents: number
  orderId: number | null
  note: string | null
  /** The provider's name for it while it is on its way. */
  pendingRef: string | null
}

/** The refund with this id. */
export async function selectRefund(db: Database, id: string): Promise<ChargeRefund | undefined> {
  return (await selectRefunds(db, { id }))[0]
}

/** Selects the refunds under a key, one per refunded charge, as named by `refundPartKey`. */
export function selectRefundsOfKey(db: Database, key: string): Promise<ChargeRefund[]> {
  return selectRefunds(db, { key })
}

/** The key of the n-th charge's share of a refund, counted from 0. */
export function refundPartKey(key: string, index: number): string {
  return index === 0 ? key : `${key}+${index + 1}`
}

/** The key that a refund was promised under, from the key of one charge's share of it. */
export function wholeRefundKey(partKey: string): string {
  return partKey.replace(/\+\d+$/, '')
}

/** The refund that the provider calls so and has not finished. */
export async function selectPendingRefund(db: Database, pendingRef: string): Promise<ChargeRefund | undefined> {
  return (await selectRefunds(db, { pendingRef }))[0]
}

/** Refunds on their way since before an instant, the longest first. */
export async function selectPendingRefs(db: Database, before: Temporal.Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('charge_refund')
    .select('pending_ref')
    .where('state', '=', 'promised')
    .where('pending_ref', 'is not', null)
    .where('promised_at', '<', before)
    .orderBy('promised_at')
    .limit(100)
    .execute()
  return rows.flatMap(({ pending_ref: ref }) => ref ?? [])
}

/** Records that the provider has taken a promised refund on, and finishes it later. */
export async function updateToPending(db: Database, id: string, pendingRef: string): Promise<void> {
  await db
    .updateTable('charge_refund')
    .set({ pending_ref: pendingRef })
    .where('id', '=', id)
    .where('state', '=', 'promised')
    .execute()
}

async function selectRefunds(
  db: Database,
  by: { id: string } | { key: string } | { pendingRef: string },
): Promise<ChargeRefund[]> {
  const query = db
    .selectFrom('charge_refund as refund')
    .innerJoin('payment', 'payment.id', 'refund.payment_id')
    .select([
      'refund.id',
      'refund.state',
      'refund.attempt',
      'refund.amount_cents',
      'refund.note',
      'refund.pending_ref',
      'payment.id as paymentId',
      'payment.provider_ref',
      'payment.state as chargeState',
      'payment.refunded_cents',
      'payment.order_id',
    ])
  const rows = await (
    'id' in by
      ? query.where('refund.id', '=', by.id)
      : 'pendingRef' in by
        ? query.where('refund.pending_ref', '=', by.pendingRef)
        : query.where((eb) => eb.or([eb('refund.key', '=', by.key), eb('refund.key', 'like', `${by.key}+%`)]))
  )
    .orderBy('refund.key')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    state: row.state as RefundState,
    attempt: row.attempt,
    amountCents: row.amount_cents,
    paymentId: row.paymentId,
    providerRef: row.provider_ref,
    isCaptured: row.chargeState === 'captured',
    givenBackCents: row.refunded_cents,
    orderId: row.order_id,
    note: row.note,
    pendingRef: row.pending_ref,
  }))
}

/** Selects a charge's promised refunds. */
export async function selectPromisedRefunds(tx: Tx, paymentId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('charge_refund')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'promised')
    .orderBy('promised_at')
    .execute()
  return rows.map(({ id }) => id)
}

/** Records that a promised refund is done, on it and on its charge. Returns its key; undefined if already recorded. */
export async function updateToDone(
  tx: Tx,
  id: string,
  change: { providerRef: string; actor: string; at: Temporal.Instant },
): Promise<string | undefined> {
  const at = change.at.toString()
  const { rows } = await sql<{ key: string }>`
    with done as (
      update charge_refund set state = 'done', provider_ref = ${change.providerRef}, done_at = ${at}::timestamptz, note = null, pending_ref = null
      where id = ${id}::uuid and state = 'promised' returning payment_id, amount_cents, key),
    given as (
      update payment set refunded_cents = refunded_cents + done.amount_cents, updated_at = ${at}::timestamptz
      from done where payment.id = done.payment_id returning payment.id, payment.state),
    noted as (
      insert into payment_event (payment_id, at, from_state, to_state, actor, note)
      select id, ${at}::timestamptz, state, state, ${change.actor}, 'given back in part' from given)
    select key from done`.execute(tx)
  return rows[0]?.key
}

/** Records that the provider refused a promised refund. */
export async function updateToRefused(db: Database, id: string, note: string): Promise<void> {
  await db
    .updateTable('charge_refund')
    .set({ state: 'refused', note: note.slice(0, 500), pending_ref: null })
    .where('id', '=', id)
    .where('state', '=', 'promised')
    .execute()
}

/**
 * Retries a refused refund under the next key. Returns false if it is not refused. Throws on `refunds_within_charge` if
 * the money was since refunded another way.
 */
export async function updateToPromised(tx: Tx, id: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('charge_refund')
    .set((eb) => ({ state: 'promised', note: null, promised_at: at, attempt: eb('attempt', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'refused')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The parts of an order's charges that are given back, oldest first. */
export function selectRefundsOfOrder(db: Database, orderId: number): Promise<ChargeRefundEntry[]> {
  return db
    .selectFrom('charge_refund as refund')
    .innerJoin('payment', 'payment.id', 'refund.payment_id')
    .select([
      'refund.key',
      'refund.state',
      'refund.amount_cents as amountCents',
      'refund.note',
      'refund.promised_at as promisedAt',
      'refund.done_at as doneAt',
    ])
    .where('payment.order_id', '=', orderId)
    .orderBy('refund.promised_at')
    .execute()
}

/** A part of a charge that is given back, as it is shown to staff. */
export type ChargeRefundEntry = {
  key: string
  state: string
  amountCents: number
  note: string | null
  promisedAt: Temporal.Instant
  doneAt: Temporal.Instant | null
}

/** Where a refund is in the list of all; the id decides between two of the same moment. */
export type RefundPlace = { at: Temporal.Instant; id: string }

export type ListPage = {
  from: Temporal.Instant | null
  until: Temporal.Instant | null
  /** The refund that the page comes after; null for the newest. */
  after: RefundPlace | null
  limit: number
}

export type ListedCharge = ChargeRefundEntry & { id: string; orderId: number | null }

/** A page of what the provider still has to do, or refused; newest first. */
export function selectOpenRefunds(
  db: Database,
  state: 'promised' | 'refused',
  page: ListPage,
): Promise<ListedCharge[]> {
  // A literal, so that the partial index of open refunds serves it.
  return selectListed(db, sql`refund.state = ${sql.lit(state)}`, page)
}

/**
 * Selects a page of refunds with keys that don't start with `otherThan`; with `of`, only those with that prefix. Newest
 * first.
 */
export function selectRefundsOfOthers(
  db: Database,
  { otherThan, of }: { otherThan: string; of: string | null },
  page: ListPage,
): Promise<ListedCharge[]> {
  const others = sql`refund.key not like ${sql.lit(`${otherThan}%`)}`
  return selectListed(db, of === null ? others : sql`${others} and refund.key like ${`${of}%`}`, page)
}

/** Returns the refund with this ID; undefined for an unknown one. */
export async function selectListedRefund(db: Database, id: string): Promise<ListedCharge | undefined> {
  const page = { from: null, until: null, after: null, limit: 1 }
  return (await selectListed(db, sql`refund.id = ${id}::uuid`, page))[0]
}

async function selectListed(db: Database, which: RawBuilder<unknown>, page: ListPage): Promise<ListedCharge[]> {
  const { rows } = await sql<ListedCharge>`
    select refund.id, refund.key, refund.state, refund.amount_cents as "amountCents", refund.note, refund.promised_at as "promisedAt",
      refund.done_at as "doneAt", payment.order_id as "orderId"
    from charge_refund refund join payment on payment.id = refund.payment_id
    where ${which}
      and (${textOf(page.from)}::timestamptz is null or promised_at >= ${textOf(page.from)}::timestamptz)
      and (${textOf(page.until)}::timestamptz is null or promised_at < ${textOf(page.until)}::timestamptz)
      ${page.after ? sql`and (promised_at, refund.id) < (${page.after.at.toString()}::timestamptz, ${page.after.id}::uuid)` : sql``}
    order by promised_at desc, refund.id desc limit ${page.limit}`.execute(db)
  return rows
}

function textOf(at: Temporal.Instant | null): string | null {
  return at && at.toString()
}

/** The refunds with these keys. */
export function selectRefundsByKeys(
  db: Database,
  keys: readonly string[],
): Promise<Pick<ChargeRefundEntry, 'key' | 'state' | 'note'>[]> {
  return keys.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('charge_refund')
        .select(['key', 'state', 'note'])
        .where('key', 'in', [...keys])
        .execute()
}

/**
 * SQL for the sum of an order's refunded or promised amounts outside order refunds, such as for a price match or a
 * coverage claim. In cents, 0 without any.
 */
export function otherRefundCents(orderId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select coalesce(sum(refund.amount_cents), 0)::int from charge_refund refund join payment on payment.id = refund.payment_id
    where payment.order_id = ${orderId} and refund.state <> 'refused' and (refund.key like 'guarantee:%' or refund.key like 'coverage:%')`
}
