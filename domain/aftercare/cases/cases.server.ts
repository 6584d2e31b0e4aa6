/**
 * Cases are coverage claims and price guarantee requests. Shoppers file them with a file, staff approve an
 * amount or refuse with a reason once, and the amount is refunded.
 */
import { createHash } from 'node:crypto'
import {
  authorizeConcession,
  declineConcession,
  findConcessionRequest,
  inConcessionTransaction,
  type ConcessionRefusal,
  type ConcessionRequest,
} from '#domain/kernel/concessions/concessions.server.ts'
import { readAttachment, type Attachment, type FileRefusal, type NamedFile } from '#domain/kernel/files/files.server.ts'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { longestRefusal } from '#domain/kernel/staff/staff.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { answerWithinText } from '#domain/messaging/support/support.ts'
import { requestsPerHour } from '#domain/messaging/support/support.server.ts'
import { lockOrder, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { chargedTo, refundPlanned } from '#domain/payments/charge-words/charge-words.ts'
import { lowerInvoice } from '#domain/payments/invoices/invoices.server.ts'
import {
  findRefund,
  promiseRefund,
  retryRefund,
  type RefundRefusal,
} from '#domain/payments/payments/payments.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { phoneHoursText } from '#platform/phone-hours.ts'
import type { CaseState } from './cases.ts'
import {
  countSince,
  findOpenAlready,
  lockCaseRow,
  queueUp,
  selectCaseFile,
  updateToDecided,
  type CaseTable,
} from './cases.sql.server.ts'

export { exportCases, type CaseTable } from './cases.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** What every case has. `orderId` is null for a request before buying. */
type CaseRow = { id: number; state: CaseState; orderId: number | null; email: string }

/** A kind of case. */
export type CaseKind<Row extends CaseRow> = {
  concession: 'coverage-claim' | 'price-guarantee'
  permission: 'claims.decide' | 'guarantees.decide'
  /** Prefix for audit log events and messages. */
  name: 'claim' | 'guarantee'
  /** The audit log's name for the approved amount. */
  amount: 'givenCents' | 'differenceCents'
  /** Prefix for refund keys. */
  refunds: 'coverage' | 'guarantee'
  table: CaseTable
  /** The number that people see, such as "C-12". */
  numberOf: (id: number) => string
  select: (db: Database, id: number) => Promise<Row | undefined>
}

/** A shopper who files a case. */
export type Sender = {
  /** The order was placed in this browser or by its account, so no further verification is needed. */
  isOwn: boolean
  networkKey: string
  file: { name: string; bytes: Uint8Array } | null
  signal?: AbortSignal
}

/** The money and approval status of a case. */
export type CaseStatus = {
  /** The approval that a first person requested; null without one. */
  approvalRequest: ConcessionRequest | null
  /** Null without a promised refund, meaning an open or refused case, one before buying, or a reduced invoice. */
  refund: { state: 'waits-for-capture' | 'promised' | 'done' | 'refused'; note: string | null } | null
}

/**
 * Stores a case once with its file, emails the shopper and the store, and returns its id. While it is open, the same
 * `content` is the same case. Refuses more than `requestsPerHour` from one network or email address, and files as the
 * contact page does. `insert` stores the row and its file.
 */
export async function fileCase<Row extends CaseRow>(
  deps: Deps & { config: Pick<Config, 'store'>; rateLimits: RateLimits },
  { table, name }: CaseKind<Row>,
  { file, signal, networkKey }: Sender,
  filed: {
    orderId: number | null
    email: string
    content: object
    insert: (
      tx: Tx,
      stored: { said: Buffer; networkKey: string; at: Temporal.Instant },
      file: Attachment | null,
    ) => Promise<number>
  },
): Promise<Outcome<{ id: number }, Refused<'too-many-requests'> | FileRefusal>> {
  const said = createHash('sha256')
    .update(JSON.stringify(filed.content))
    .update('\n')
    .update(file?.bytes ?? '')
    .digest()
  const already = await findOpenAlready(deps.db, table, said)
  if (already !== undefined) return ok({ id: already })
  const at = deps.clock.now()
  const since = at.subtract({ hours: 1 })
  const from = { networkKey, email: filed.email }
  // No file is examined for a case that would be refused; counted again when stored.
  if ((await countSince(deps.db, table, from, since)) >= requestsPerHour) return refused('too-many-requests')
  if (file && !(await deps.rateLimits.take('attachment', { sender: networkKey })).ok)
    return refused('too-many-requests')
  const attachment = file ? await readAttachment(file, signal) : ok(null)
  if (!attachment.ok) return attachment
  return deps.db.transaction().execute(async (tx) => {
    await queueUp(tx, table)
    const same = await findOpenAlready(tx, table, said)
    if (same !== undefined) return ok({ id: same })
    if ((await countSince(tx, table, from, since)) >= requestsPerHour) return refused('too-many-requests')
    const id = await filed.insert(tx, { said, networkKey, at }, attachment.value)
    const mail = { orderId: filed.orderId, at }
    await queueMessage(tx, { kind: `${name}-received`, key: `${name}-received:${id}`, to: filed.email, ...mail })
    await queueMessage(tx, { kind: `${name}-filed`, key: `${name}-filed:${id}`, to: deps.config.store.email, ...mail })
    return ok({ id })
  })
}

/** Returns a case's uploaded file. Only for staff. */
export function findCaseFile<Row extends CaseRow>(
  db: Database,
  { table }: CaseKind<Row>,
  id: number,
): Promise<NamedFile | undefined> {
  return selectCaseFile(db, table, id)
}

/** Returns the money and approval status of a case. */
export async function statusOf<Row extends CaseRow>(
  db: Database,
  kind: CaseKind<Row>,
  { id, state }: Row,
): Promise<CaseStatus> {
  const approvalRequest = state === 'open' ? await findConcessionRequest(db, kind.concession, String(id)) : null
  const refund = await findRefund({ db }, refundKey(kind, id))
  const waits = refund?.state === 'promised' && !refund.isCaptured
  return {
    approvalRequest: approvalRequest ?? null,
    refund: refund ? { state: waits ? 'waits-for-capture' : refund.state, note: refund.note } : null,
  }
}

type Undecided = Refused<'request-not-found'> | Refused<'already-decided', { state: 'approved' | 'refused' }>

export type ApproveRefusal =
  | Refused<'not-allowed'>
  | Undecided
  | Refused<'invoice-settled'>
  | RefundRefusal
  | ConcessionRefusal

/**
 * Approves a case once, with an amount in cents that `check` allows while the order is locked. A job refunds the card,
 * after the capture if still pending, or the open invoice is reduced. Emails the shopper. Above the approval threshold
 * the case stays open and `requested` until a second person approves it.
 */
export async function approveCase<Row extends CaseRow, Reason extends Refused<string, unknown>>(
  { db, clock }: Deps,
  kind: CaseKind<Row>,
  { id, cents, by }: { id: number; cents: number; by: Actor },
  check: (tx: Tx, row: Row) => Promise<Outcome<void, Reason>>,
): Promise<Outcome<{ state: 'approved' | 'requested' }, ApproveRefusal | Reason>> {
  return inConcessionTransaction(db, async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, kind.permission, at)
    if (!permitted.ok) return permitted
    const open = await lockOpen(tx, kind, id)
    if (!open.ok) return open
    const { orderId, email } = open.value
    if (orderId !== null) await lockOrder(tx, orderId)
    const possible = await check(tx, open.value)
    if (!possible.ok) return possible
    const decided = await authorizeConcession(tx, {
      kind: kind.concession,
      reference: String(id),
      by,
      amountCents: cents,
      ...(orderId !== null && { orderId }),
      at,
    })
    if (!decided.ok) return decided
    const after = kind.amount === 'givenCents' ? { givenCents: cents } : { differenceCents: cents }
    const about = { by, subject: kind.numberOf(id), after, at }
    if (decided.value.state === 'requested') {
      await recordAct(tx, { ...about, act: `${kind.name}.requested` })
      return ok({ state: 'requested' })
    }
    const given = orderId === null ? ok(undefined) : await giveBack(tx, refundKey(kind, id), { orderId, cents, at })
    if (!given.ok) return given
    await updateToDecided(tx, kind.table, id, { state: 'approved', cents, by: by.name, at })
    await recordAct(tx, { ...about, act: `${kind.name}.approved`, authorization: decided.value.authorization })
    await queueMessage(tx, messageOf(kind, 'approved', { id, to: email, orderId, at }))
    return ok({ state: 'approved' })
  })
}

/** Gives an amount back in the way the order is paid. */
async function giveBack(
  tx: Tx,
  key: string,
  { orderId, cents, at }: { orderId: number; cents: number; at: Temporal.Instant },
): Promise<Outcome<void, Refused<'invoice-settled'> | RefundRefusal>> {
  const order = await readOrder(tx, orderId)
  if (order?.invoice)
    return (await lowerInvoice(tx, { orderId, cents, at })) ? ok(undefined) : refused('invoice-settled')
  return promiseRefund(tx, { orderId, amountCents: cents, key, at })
}

/** Refuses a case, once, with a reason that the shopper is emailed. */
export async function refuseCase<Row extends CaseRow>(
  { db, clock }: Deps,
  kind: CaseKind<Row>,
  { id, reason, by }: { id: number; reason: string; by: Actor },
): Promise<Outcome<void, Refused<'not-allowed'> | Undecided | Refused<'no-reason'>>> {
  const refusal = reason.trim()
  if (refusal.length === 0 || refusal.length > longestRefusal) return refused('no-reason')
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, kind.permission, at)
    if (!permitted.ok) return permitted
    const open = await lockOpen(tx, kind, id)
    if (!open.ok) return open
    const { email, orderId } = open.value
    await updateToDecided(tx, kind.table, id, { state: 'refused', refusal, by: by.name, at })
    await declineConcession(tx, { kind: kind.concession, reference: String(id), by: by.name, at })
    await recordAct(tx, { by, act: `${kind.name}.refused`, subject: kind.numberOf(id), reason: refusal, at })
    await queueMessage(tx, messageOf(kind, 'refused', { id, to: email, orderId, at }))
    return ok(undefined)
  })
}

/** Retries a refund after the provider refused it or the job exhausted its retries. */
export async function retryCaseRefund<Row extends CaseRow>(
  deps: Deps,
  kind: CaseKind<Row>,
  { id, by }: { id: number; by: Actor },
): Promise<
  Outcome<
    void,
    Refused<'not-allowed'> | Refused<'request-not-found'> | Refused<'nothing-to-retry'> | Refused<'more-than-charged'>
  >
> {
  const at = deps.clock.now()
  const permitted = await deps.db.transaction().execute(async (tx) => {
    const outcome = await requirePermission(tx, by, kind.permission, at)
    if (!outcome.ok) return outcome
    if (!(await lockCase(tx, kind, id))) return refused('request-not-found')
    await recordAct(tx, { by, act: `${kind.name}.retried`, subject: kind.numberOf(id), at })
    return outcome
  })
  return permitted.ok ? retryRefund(deps, refundKey(kind, id)) : permitted
}

/** Returns the values that the messages about all cases have in common. */
export function contactValues({ store }: Pick<Config, 'store'>): {
  answerWithin: string
  supportHours: string
  phone: string
} {
  return { answerWithin: answerWithinText, supportHours: phoneHoursText(store.phoneHours), phone: store.phone }
}

/** Explains how the approved amount of an order's case reaches the shopper. */
export async function refundText(
  db: Database,
  { orderId, refund, cents }: Pick<CaseStatus, 'refund'> & { orderId: number; cents: number },
): Promise<string> {
  const order = await readOrder(db, orderId)
  if (order?.invoice) return 'It is taken off your company’s invoice.'
  return refund?.state === 'waits-for-capture'
    ? `We refund ${chargedTo(order?.payment ?? null)} as soon as the order is charged.`
    : refundPlanned(order?.payment ?? null, formatCents(cents))
}

/** Returns the rows of a message's table that have a value. */
export function rowsWithValue(
  rows: readonly (readonly [label: string, value: string | null])[],
): { left: string; right: string }[] {
  return rows.flatMap(([left, right]) => (right ? [{ left, right }] : []))
}

function messageOf<Row extends CaseRow>(
  { name }: CaseKind<Row>,
  result: 'approved' | 'refused',
  { id, ...about }: { id: number; to: string; orderId: number | null; at: Temporal.Instant },
) {
  return { kind: `${name}-${result}` as const, key: `${name}-${result}:${id}`, ...about }
}

async function lockCase<Row extends CaseRow>(tx: Tx, { table, select }: CaseKind<Row>, id: number) {
  await lockCaseRow(tx, table, id)
  return select(tx, id)
}

async function lockOpen<Row extends CaseRow>(
  tx: Tx,
  kind: CaseKind<Row>,
  id: number,
): Promise<Outcome<Row, Undecided>> {
  const row = await lockCase(tx, kind, id)
  if (!row) return refused('request-not-found')
  const { state } = row
  return state === 'open' ? ok(row) : refused('already-decided', { state })
}

function refundKey<Row extends CaseRow>({ refunds }: CaseKind<Row>, id: number): string {
  return `${refunds}:${id}`
}
