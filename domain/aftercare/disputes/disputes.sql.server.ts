/** Queries for disputes. */
import { sql } from 'kysely'
import { storeFile } from '#domain/kernel/files/files.server.ts'
import type { DisputeKind } from './disputes.ts'
import type { PaymentProviderName } from '#domain/payments/payments/payments.ts'
import type { DisputeEvidence, DisputeState, EvidenceFile } from '#domain/payments/payments/provider-records.port.ts'
import type { Database, Tx } from '#platform/db.ts'

export type Dispute = {
  id: number
  provider: PaymentProviderName
  ref: string
  paymentId: string
  orderId: number | null
  termId: string | null
  kind: DisputeKind
  state: DisputeState
  reason: string
  amountCents: number
  openedAt: Temporal.Instant
  dueAt: Temporal.Instant | null
  withdrawnCents: number
  reinstatedCents: number
  feeCents: number
  notes: string
  evidence: DisputeEvidence | null
  submittedAt: Temporal.Instant | null
  submittedBy: string | null
}

function disputes(db: Database) {
  return db
    .selectFrom('dispute')
    .innerJoin('payment', 'payment.id', 'dispute.payment_id')
    .select([
      'dispute.id',
      'dispute.provider',
      'dispute.provider_ref as ref',
      'dispute.payment_id as paymentId',
      'dispute.order_id as orderId',
      'payment.membership_term_id as termId',
      'dispute.kind',
      'dispute.state',
      'dispute.reason',
      'dispute.amount_cents as amountCents',
      'dispute.opened_at as openedAt',
      'dispute.due_at as dueAt',
      'dispute.withdrawn_cents as withdrawnCents',
      'dispute.reinstated_cents as reinstatedCents',
      'dispute.fee_cents as feeCents',
      'dispute.notes',
      'dispute.evidence',
      'dispute.submitted_at as submittedAt',
      'dispute.submitted_by as submittedBy',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof disputes>['execute']>>[number]

function toDispute(row: Row): Dispute {
  return {
    ...row,
    provider: row.provider as PaymentProviderName,
    kind: row.kind as DisputeKind,
    state: row.state as DisputeState,
    evidence: row.evidence as unknown as DisputeEvidence | null,
  }
}

export async function selectDispute(db: Database, id: number): Promise<Dispute | undefined> {
  const row = await disputes(db).where('dispute.id', '=', id).executeTakeFirst()
  return row && toDispute(row)
}

/** Locks a dispute until the transaction ends. */
export async function lockDispute(tx: Tx, id: number): Promise<Dispute | undefined> {
  const row = await disputes(tx).where('dispute.id', '=', id).forUpdate('dispute').executeTakeFirst()
  return row && toDispute(row)
}

/** Selects unanswered disputes, earliest due first, with undated ones last. */
export async function selectOpenDisputes(db: Database, limit: number): Promise<Dispute[]> {
  const rows = await disputes(db)
    .where('dispute.state', '=', 'needs-response')
    .orderBy('dispute.due_at', (order) => order.asc().nullsLast())
    .orderBy('dispute.id')
    .limit(limit)
    .execute()
  return rows.map(toDispute)
}

/** Disputes in a state, newest first, below `before`. */
export async function selectByState(
  db: Database,
  { state, before, limit }: { state: DisputeState; before: number | null; limit: number },
): Promise<Dispute[]> {
  const rows = await disputes(db)
    .where('dispute.state', '=', state)
    .$if(before !== null, (query) => query.where('dispute.id', '<', before ?? 0))
    .orderBy('dispute.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toDispute)
}

/** The charge with the provider's reference. */
export function selectCharge(
  db: Database,
  ref: string,
): Promise<{ paymentId: string; orderId: number | null; amountCents: number } | undefined> {
  return db
    .selectFrom('payment')
    .select(['id as paymentId', 'order_id as orderId', 'captured_cents as amountCents'])
    .where('provider_ref', '=', ref)
    .executeTakeFirst()
}

export type NewDispute = Pick<
  Dispute,
  'provider' | 'ref' | 'paymentId' | 'orderId' | 'kind' | 'state' | 'reason' | 'amountCents' | 'openedAt' | 'dueAt'
>

/** Inserts a new dispute, and returns its id or the id of the existing one. */
export async function keepDispute(
  tx: Tx,
  dispute: NewDispute,
  at: Temporal.Instant,
): Promise<{ id: number; isNew: boolean }> {
  const { rows } = await sql<{ id: number; isNew: boolean }>`
    insert into dispute (provider, provider_ref, payment_id, order_id, kind, state, reason, amount_cents, opened_at, due_at, updated_at)
    values (${dispute.provider}, ${dispute.ref}, ${dispute.paymentId}::uuid, ${dispute.orderId}::bigint, ${dispute.kind}, ${dispute.state}, ${dispute.reason},
      ${dispute.amountCents}::int, ${dispute.openedAt.toString()}::timestamptz, ${dispute.dueAt?.toString() ?? null}::timestamptz, ${at.toString()}::timestamptz)
    on conflict (provider, provider_ref) do update set updated_at = excluded.updated_at
    returning id, (xmax = 0) as "isNew"`.execute(tx)
  const row = rows[0]
  if (!row) throw new Error('A dispute insert returned no row.')
  return row
}

/** Updates a dispute to the provider's current state. */
export async function updateToSaid(
  tx: Tx,
  id: number,
  said: Pick<
    Dispute,
    'kind' | 'state' | 'reason' | 'amountCents' | 'dueAt' | 'withdrawnCents' | 'reinstatedCents' | 'feeCents'
  >,
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .updateTable('dispute')
    .set({
      kind: said.kind,
      state: said.state,
      reason: said.reason,
      amount_cents: said.amountCents,
      due_at: said.dueAt,
      withdrawn_cents: said.withdrawnCents,
      reinstated_cents: said.reinstatedCents,
      fee_cents: said.feeCents,
      updated_at: at,
    })
    .where('id', '=', id)
    .execute()
}

export async function updateNotes(tx: Tx, id: number, notes: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('dispute').set({ notes, updated_at: at }).where('id', '=', id).execute()
}

/** Stores evidence before it is sent, so that a retry after a crash sends the same evidence. */
export async function updateToSubmitted(
  tx: Tx,
  id: number,
  { evidence, by, at }: { evidence: DisputeEvidence; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('dispute')
    .set({ evidence: JSON.stringify(evidence), submitted_by: by, submitted_at: at, updated_at: at })
    .where('id', '=', id)
    .execute()
}

export async function updateState(tx: Tx, id: number, state: DisputeState, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('dispute').set({ state, updated_at: at }).where('id', '=', id).execute()
}

export async function insertEvent(
  tx: Tx,
  event: { disputeId: number; at: Temporal.Instant; actor: string; words: string },
): Promise<void> {
  await tx
    .insertInto('dispute_event')
    .values({ dispute_id: event.disputeId, at: event.at, actor: event.actor, words: event.words.slice(0, 500) })
    .execute()
}

/** What happened to a dispute, oldest first. */
export function selectEvents(
  db: Database,
  disputeId: number,
): Promise<{ at: Temporal.Instant; actor: string; words: string }[]> {
  return db
    .selectFrom('dispute_event')
    .select(['at', 'actor', 'words'])
    .where('dispute_id', '=', disputeId)
    .orderBy('id')
    .limit(200)
    .execute()
}

/** Stores an evidence file, replacing the previous one of its kind. */
export async function insertFile(
  tx: Tx,
  disputeId: number,
  { kind, name, type, bytes }: EvidenceFile,
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  const fileKey = await storeFile(tx, { contentType: type, bytes }, at)
  const values = { name, file_key: fileKey, added_at: at, added_by: by }
  await tx
    .insertInto('dispute_file')
    .values({ dispute_id: disputeId, kind, ...values })
    .onConflict((conflict) => conflict.columns(['dispute_id', 'kind']).doUpdateSet(values))
    .execute()
}

/** The files of a dispute's evidence, without their bytes. */
export async function selectFiles(
  db: Database,
  disputeId: number,
): Promise<(Pick<EvidenceFile, 'kind' | 'name'> & { key: string })[]> {
  const rows = await db
    .selectFrom('dispute_file')
    .select(['kind', 'name', 'file_key as key'])
    .where('dispute_id', '=', disputeId)
    .orderBy('kind', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, kind: row.kind as EvidenceFile['kind'] }))
}

/** What the files of a dispute are called, and how large they are. */
export async function selectFileNames(
  db: Database,
  disputeId: number,
): Promise<{ kind: string; name: string; bytes: number }[]> {
  const { rows } = await sql<{ kind: string; name: string; bytes: number }>`
    select kind, name, file.size as bytes from dispute_file join stored_file file on file.key = file_key where dispute_id = ${disputeId}::bigint order by kind desc`.execute(
    db,
  )
  return rows
}
