/** The statements for claims of replacement coverage. */
import { sql } from 'kysely'
import type { CoveragePlan } from '#domain/pricing/pricing/pricing.ts'
import { storeFile, type Attachment } from '#domain/kernel/files/files.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { CaseState } from '#domain/aftercare/cases/cases.ts'
import type { ClaimKind, CoveredCause } from './coverage-claims.ts'

export type NewClaim = {
  orderId: number
  email: string
  itemId: number
  tire: string
  tires: number
  plan: CoveragePlan
  kind: ClaimKind
  cause: CoveredCause
  tin: string | null
  deliveredOn: Temporal.PlainDate
  happenedOn: Temporal.PlainDate
  paidCents: number | null
  mostCents: number
  words: string | null
  said: Buffer
  networkKey: string
  at: Temporal.Instant
}

export type Claim = Omit<NewClaim, 'said' | 'networkKey' | 'at' | 'deliveredOn' | 'happenedOn'> & {
  id: number
  state: CaseState
  deliveredOn: string
  happenedOn: string
  createdAt: Temporal.Instant
  decidedAt: Temporal.Instant | null
  decidedBy: string | null
  givenCents: number | null
  refusal: string | null
  fileName: string | null
}

/** Counts each item's tires in an order that the plan has replaced. */
export async function countReplaced(db: Database, orderId: number): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('coverage_claim')
    .select(({ fn }) => ['item_id as itemId', fn.sum<string>('tires').as('tires')])
    .where('order_id', '=', orderId)
    .where('state', '=', 'approved')
    .where('kind', '=', 'replacement')
    .groupBy('item_id')
    .execute()
  return new Map(rows.map(({ itemId, tires }) => [itemId, Number(tires)]))
}

/** Stores a claim with its file, and returns its id. */
export async function insertClaim(tx: Tx, claim: NewClaim, file: Attachment | null): Promise<number> {
  const { id } = await tx
    .insertInto('coverage_claim')
    .values({
      order_id: claim.orderId,
      email: claim.email,
      item_id: claim.itemId,
      tire: claim.tire,
      tires: claim.tires,
      plan: claim.plan,
      kind: claim.kind,
      cause: claim.cause,
      tin: claim.tin,
      delivered_on: claim.deliveredOn.toString(),
      happened_on: claim.happenedOn.toString(),
      paid_cents: claim.paidCents,
      most_cents: claim.mostCents,
      words: claim.words,
      said: claim.said,
      network_key: claim.networkKey,
      created_at: claim.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (file)
    await tx
      .insertInto('coverage_claim_file')
      .values({ claim_id: id, name: file.name, file_key: await storeFile(tx, file, claim.at) })
      .execute()
  return id
}

export async function selectClaim(db: Database, id: number): Promise<Claim | undefined> {
  const row = await selectClaims(db).where('claim.id', '=', id).executeTakeFirst()
  return row && claimOf(row)
}

/** Up to `count` claims in a state, newest first, with numbers below `before`. */
export async function selectByState(
  db: Database,
  { state, before, count }: { state: CaseState; before: number | null; count: number },
): Promise<Claim[]> {
  const rows = await selectClaims(db)
    .where('claim.state', '=', state)
    .$if(before !== null, (select) => select.where('claim.id', '<', before ?? 0))
    .orderBy('claim.id', 'desc')
    .limit(count)
    .execute()
  return rows.map(claimOf)
}

/** Open claims, longest waiting first. */
export async function selectOpenClaims(db: Database, limit: number): Promise<Claim[]> {
  const rows = await selectClaims(db)
    .where(sql<boolean>`claim.state = 'open'`)
    .orderBy('created_at')
    .orderBy('claim.id')
    .limit(limit)
    .execute()
  return rows.map(claimOf)
}

function selectClaims(db: Database) {
  return db
    .selectFrom('coverage_claim as claim')
    .leftJoin('coverage_claim_file as file', 'file.claim_id', 'claim.id')
    .select([
      'claim.id',
      'claim.state',
      'claim.order_id as orderId',
      'claim.email',
      'claim.item_id as itemId',
      'claim.tire',
      'claim.tires',
      'claim.plan',
      'claim.kind',
      'claim.cause',
      'claim.tin',
      'claim.delivered_on as deliveredOn',
      'claim.happened_on as happenedOn',
      'claim.paid_cents as paidCents',
      'claim.most_cents as mostCents',
      'claim.words',
      'claim.created_at as createdAt',
      'claim.decided_at as decidedAt',
      'claim.decided_by as decidedBy',
      'claim.given_cents as givenCents',
      'claim.refusal',
      'file.name as fileName',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectClaims>['execute']>>[number]

function claimOf(row: Row): Claim {
  return {
    ...row,
    state: row.state as CaseState,
    plan: row.plan as CoveragePlan,
    kind: row.kind as ClaimKind,
    cause: row.cause as CoveredCause,
  }
}
