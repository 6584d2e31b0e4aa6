/** The statements for sales tax exemption certificates. */
import type { Database } from '#platform/db.ts'

export type Exemption = {
  id: string
  state: string
  number: string
  expiresOn: Temporal.PlainDate
  status: 'waiting' | 'accepted' | 'refused'
}

export type NewCertificate = {
  id: string
  companyId: string
  stateCode: string
  number: string
  expiresOn: Temporal.PlainDate
  sentAt: Temporal.Instant
  fileName: string
  fileKey: string
}

/** Stores a certificate for review. Throws the violated `company_exemption_waiting_once` if one is already waiting. */
export async function insertExemption(db: Database, certificate: NewCertificate): Promise<void> {
  await db
    .insertInto('company_exemption')
    .values({
      id: certificate.id,
      company_id: certificate.companyId,
      state_code: certificate.stateCode,
      certificate_number: certificate.number,
      expires_on: certificate.expiresOn.toString(),
      sent_at: certificate.sentAt,
      file_name: certificate.fileName,
      file_key: certificate.fileKey,
    })
    .execute()
}

/** Whether a company's certificate for a state is awaiting review. */
export async function selectIsWaiting(db: Database, companyId: string, stateCode: string): Promise<boolean> {
  const waiting = await db
    .selectFrom('company_exemption')
    .select('id')
    .where('company_id', '=', companyId)
    .where('state_code', '=', stateCode)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return waiting !== undefined
}

/** Selects a company's certificates, newest first. */
export async function selectExemptions(db: Database, companyId: string): Promise<Exemption[]> {
  const rows = await exemptions(db).where('company_id', '=', companyId).orderBy('sent_at', 'desc').execute()
  return rows.map(toExemption)
}

/** The last day of the company's accepted certificate for a state that is valid longest; undefined without one. */
export async function selectLastDay(
  db: Database,
  companyId: string,
  stateCode: string,
): Promise<Temporal.PlainDate | undefined> {
  const row = await db
    .selectFrom('company_exemption')
    .select('expires_on')
    .where('company_id', '=', companyId)
    .where('state_code', '=', stateCode)
    .where('state', '=', 'accepted')
    .orderBy('expires_on', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && Temporal.PlainDate.from(row.expires_on)
}

/** The last day of the company's accepted certificate that is valid longest, for each state that it has one for. */
export async function selectLastDays(
  db: Database,
  companyId: string,
): Promise<{ stateCode: string; validThrough: Temporal.PlainDate }[]> {
  const rows = await db
    .selectFrom('company_exemption')
    .select((eb) => ['state_code as stateCode', eb.fn.max('expires_on').as('expiresOn')])
    .where('company_id', '=', companyId)
    .where('state', '=', 'accepted')
    .groupBy('state_code')
    .orderBy('state_code')
    .execute()
  return rows.map(({ stateCode, expiresOn }) => ({ stateCode, validThrough: Temporal.PlainDate.from(expiresOn) }))
}

/** Certificates awaiting review, with the company's name, longest waiting first. */
export async function selectWaiting(
  db: Database,
): Promise<(Exemption & { companyId: string; company: string; sentAt: Temporal.Instant })[]> {
  const rows = await exemptions(db)
    .innerJoin('company', 'company.id', 'company_exemption.company_id')
    .select(['company.id as companyId', 'company.name as company', 'company_exemption.sent_at as sentAt'])
    .where('company_exemption.state', '=', 'waiting')
    .orderBy('sent_at')
    .execute()
  return rows.map((row) => ({
    ...toExemption(row),
    companyId: row.companyId,
    company: row.company,
    sentAt: row.sentAt,
  }))
}

/** Records the decision on a pending certificate; false if it isn't pending. */
export async function updateDecision(
  db: Database,
  id: string,
  { isAccepted, by, at }: { isAccepted: boolean; by: string; at: Temporal.Instant },
): Promise<boolean> {
  const result = await db
    .updateTable('company_exemption')
    .set({ state: isAccepted ? 'accepted' : 'refused', decided_at: at, decided_by: by })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The name and key of a certificate's file. */
export function selectFile(db: Database, id: string): Promise<{ name: string; key: string } | undefined> {
  return db
    .selectFrom('company_exemption')
    .select(['file_name as name', 'file_key as key'])
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
