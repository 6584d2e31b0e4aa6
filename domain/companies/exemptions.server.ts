/**
 * Certificates that free a company from sales tax: sent by its owners, looked at by staff, good in one state until a
 * day.
 */
import { companyCan } from '#domain/companies/companies.ts'
import { selectMembership } from '#domain/companies/companies.sql.server.ts'
import type { AttachmentLimits } from '#domain/support/attachment-limits.port.ts'
import { readAttachment, type FileRefusal } from '#domain/support/support.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

type NewExemption = {
  state: string
  number: string
  expiresOn: Temporal.PlainDate
  file: { name: string; bytes: Uint8Array }
  signal?: AbortSignal
}

export type Exemption = {
  id: string
  state: string
  number: string
  expiresOn: Temporal.PlainDate
  status: 'waiting' | 'accepted' | 'refused'
}

/**
 * Keeps a certificate until staff has looked at it. A picture is saved anew; a PDF is kept as it is, and neither is
 * ever shown to a browser. Nothing is looked into before it is clear that it would be kept, and no more files than
 * `attachmentAttempts` of one company. `signal`: who sent it has left.
 */
export async function sendExemption(
  { db, clock, attachmentLimits }: Deps & { attachmentLimits: AttachmentLimits },
  by: string,
  { state, number, expiresOn, file, signal }: NewExemption,
): Promise<
  Outcome<
    null,
    | Refused<'not-allowed'>
    | Refused<'expired'>
    | Refused<'waiting-already'>
    | Refused<'too-many', { retryAfterSeconds: number }>
    | FileRefusal
  >
> {
  const membership = await selectMembership(db, by)
  if (!membership || !companyCan(membership.role, 'manage') || membership.company.state !== 'approved')
    return refused('not-allowed')
  if (Temporal.PlainDate.compare(expiresOn, todayAt(clock)) < 0) return refused('expired')
  if (await isWaiting(db, membership.company.id, state)) return refused('waiting-already')
  const taken = await attachmentLimits.take(membership.company.id)
  if (!taken.ok) return taken
  const attachment = await readAttachment(file, signal)
  if (!attachment.ok) return attachment
  try {
    await db
      .insertInto('company_exemption')
      .values({
        id: newId(),
        company_id: membership.company.id,
        state_code: state,
        certificate_number: number,
        expires_on: expiresOn.toString(),
        sent_at: clock.now(),
        file_name: attachment.value.name,
        content_type: attachment.value.contentType,
        bytes: Buffer.from(attachment.value.bytes),
      })
      .execute()
    return ok(null)
  } catch (error) {
    if (violatedConstraint(error) === 'company_exemption_waiting_once') return refused('waiting-already')
    throw error
  }
}

async function isWaiting(db: Database, companyId: string, stateCode: string): Promise<boolean> {
  const waiting = await db
    .selectFrom('company_exemption')
    .select('id')
    .where('company_id', '=', companyId)
    .where('state_code', '=', stateCode)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return waiting !== undefined
}

/** The certificates of a company, the newest first. */
export async function listExemptions({ db }: Pick<Deps, 'db'>, companyId: string): Promise<Exemption[]> {
  const rows = await exemptions(db).where('company_id', '=', companyId).orderBy('sent_at', 'desc').execute()
  return rows.map(toExemption)
}

/**
 * What the price is told of a company's certificates where the order goes: the accepted one of that state that holds
 * longest, also when it has expired, so that the price can say why it does not count. Null where the company never had
 * one there.
 */
export async function findExemption(
  { db }: Pick<Deps, 'db'>,
  companyId: string,
  stateCode: string,
): Promise<{ stateCode: string; validThrough: Temporal.PlainDate } | null> {
  const row = await db
    .selectFrom('company_exemption')
    .select('expires_on')
    .where('company_id', '=', companyId)
    .where('state_code', '=', stateCode)
    .where('state', '=', 'accepted')
    .orderBy('expires_on', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { stateCode, validThrough: Temporal.PlainDate.from(row.expires_on) } : null
}

/** Those that wait for staff, the longest waiting first. */
export async function listWaitingExemptions({ db }: Pick<Deps, 'db'>): Promise<(Exemption & { company: string })[]> {
  const rows = await exemptions(db)
    .innerJoin('company', 'company.id', 'company_exemption.company_id')
    .select('company.name as company')
    .where('company_exemption.state', '=', 'waiting')
    .orderBy('sent_at')
    .execute()
  return rows.map((row) => ({ ...toExemption(row), company: row.company }))
}

/** Staff has looked at a certificate. Only one that waits can be decided about. */
export async function decideExemption(
  { db, clock }: Deps,
  { id, isAccepted, by }: { id: string; isAccepted: boolean; by: string },
): Promise<Outcome<null, Refused<'not-waiting'>>> {
  if (!isId(id)) return refused('not-waiting')
  const result = await db
    .updateTable('company_exemption')
    .set({ state: isAccepted ? 'accepted' : 'refused', decided_at: clock.now(), decided_by: by })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n ? ok(null) : refused('not-waiting')
}

/** The file of a certificate, for staff. */
export async function findCertificate(
  { db }: Pick<Deps, 'db'>,
  id: string,
): Promise<{ name: string; bytes: Uint8Array } | undefined> {
  if (!isId(id)) return undefined
  return db
    .selectFrom('company_exemption')
    .select(['file_name as name', 'bytes'])
    .where('id', '=', id)
    .executeTakeFirst()
}

function exemptions(db: Database) {
  return db
    .selectFrom('company_exemption')
    .select([
      'company_exemption.id',
      'company_exemption.state_code',
      'company_exemption.certificate_number',
      'company_exemption.expires_on',
      'company_exemption.state',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof exemptions>['executeTakeFirstOrThrow']>>

function toExemption(row: Row): Exemption {
  return {
    id: row.id,
    state: row.state_code,
    number: row.certificate_number,
    expiresOn: Temporal.PlainDate.from(row.expires_on),
    status: row.state as Exemption['status'],
  }
}

/** Today where the store's offices are. */
function todayAt(clock: Clock): Temporal.PlainDate {
  return storeDay(clock.now())
}
