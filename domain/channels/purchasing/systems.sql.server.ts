/** The statements for purchasing systems and their secrets. */
import { sql } from 'kysely'
import type { CompanyKind } from '#domain/customers/companies/companies.ts'
import type { PurchasingChannel, PurchasingTerms } from './purchasing.ts'
import type { Database, Tx } from '#platform/db.ts'

export type PurchasingSystem = {
  companyId: string
  companyName: string
  kind: CompanyKind
  /** Whether staff approved the company, and did not close it since. */
  isActive: boolean
  channel: PurchasingChannel
  domain: string
  identity: string
  url: string | null
  /** Sealed. */
  secret: Uint8Array | null
  bill: { name: string; street: string; city: string; state: string; zip: string }
  phone: string
  email: string
}

const columns = [
  'company.id',
  'company.name',
  'company.kind',
  'company.state',
  'system.channel',
  'system.from_domain',
  'system.from_identity',
  'system.document_url',
  'system.document_secret',
  'system.bill_name',
  'system.bill_street',
  'system.bill_city',
  'system.bill_state',
  'system.bill_zip',
  'system.phone',
  'system.email',
] as const

function systems(db: Database) {
  return db
    .selectFrom('purchasing_system as system')
    .innerJoin('company', 'company.id', 'system.company_id')
    .select(columns)
}
type Row = Awaited<ReturnType<ReturnType<typeof systems>['executeTakeFirstOrThrow']>>

function toSystem(row: Row): PurchasingSystem {
  return {
    companyId: row.id,
    companyName: row.name,
    kind: row.kind as CompanyKind,
    isActive: row.state === 'approved',
    channel: row.channel as PurchasingChannel,
    domain: row.from_domain,
    identity: row.from_identity,
    url: row.document_url,
    secret: row.document_secret,
    bill: {
      name: row.bill_name,
      street: row.bill_street,
      city: row.bill_city,
      state: row.bill_state,
      zip: row.bill_zip,
    },
    phone: row.phone,
    email: row.email,
  }
}

export async function selectSystem(db: Database, companyId: string): Promise<PurchasingSystem | undefined> {
  const row = await systems(db).where('system.company_id', '=', companyId).executeTakeFirst()
  return row && toSystem(row)
}

/** The system that a From credential names, in any case. */
export async function selectSystemFrom(
  db: Database,
  { domain, identity }: { domain: string; identity: string },
): Promise<PurchasingSystem | undefined> {
  const row = await systems(db)
    .where(sql<boolean>`lower(from_domain) = lower(${domain}) and lower(from_identity) = lower(${identity})`)
    .executeTakeFirst()
  return row && toSystem(row)
}

export async function upsertSystem(
  tx: Tx,
  companyId: string,
  terms: PurchasingTerms,
  { secret, at, by }: { secret: Buffer | null; at: Temporal.Instant; by: string },
): Promise<void> {
  const row = {
    channel: terms.channel,
    from_domain: terms.domain,
    from_identity: terms.identity,
    document_url: terms.url,
    document_secret: secret,
    bill_name: terms.billName,
    bill_street: terms.billStreet,
    bill_city: terms.billCity,
    bill_state: terms.billState,
    bill_zip: terms.billZip,
    phone: terms.phone,
    email: terms.email,
    set_at: at,
    set_by: by,
  }
  await tx
    .insertInto('purchasing_system')
    .values({ company_id: companyId, ...row })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
    .execute()
}

/** The hashes of the secrets that are valid now. */
export async function selectSecretHashes(
  db: Database,
  companyId: string,
  now: Temporal.Instant,
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('purchasing_secret')
    .select('hash')
    .where('company_id', '=', companyId)
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Returns the company with this secret's hash, if the secret is valid now. */
export async function selectSecretOwner(
  db: Database,
  hash: Uint8Array,
  now: Temporal.Instant,
): Promise<{ companyId: string; hash: Uint8Array } | undefined> {
  const row = await db
    .selectFrom('purchasing_secret')
    .select(['company_id', 'hash'])
    .where('hash', '=', Buffer.from(hash))
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .executeTakeFirst()
  return row && { companyId: row.company_id, hash: row.hash }
}

export type SecretTerm = { issuedAt: Temporal.Instant; issuedBy: string; endsAt: Temporal.Instant | null }

export async function selectSecrets(db: Database, companyId: string): Promise<SecretTerm[]> {
  const rows = await db
    .selectFrom('purchasing_secret')
    .select(['issued_at', 'issued_by', 'ends_at'])
    .where('company_id', '=', companyId)
    .orderBy('issued_at', 'desc')
    .limit(10)
    .execute()
  return rows.map((row) => ({ issuedAt: row.issued_at, issuedBy: row.issued_by, endsAt: row.ends_at }))
}

/** Locks a system's row to serialize issuing secrets; false if it doesn't exist. */
export async function lockSystem(tx: Tx, companyId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('purchasing_system')
    .select('company_id')
    .where('company_id', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Ends every secret at `endsAt` that would be valid longer. */
export async function endSecrets(tx: Tx, companyId: string, endsAt: Temporal.Instant): Promise<void> {
  await sql`
    update purchasing_secret set ends_at = greatest(issued_at, ${endsAt.toString()}::timestamptz)
    where company_id = ${companyId}::uuid and (ends_at is null or ends_at > ${endsAt.toString()}::timestamptz)`.execute(
    tx,
  )
}

export async function insertSecret(
  tx: Tx,
  secret: { id: string; companyId: string; hash: Buffer; at: Temporal.Instant; by: string },
): Promise<void> {
  await tx
    .insertInto('purchasing_secret')
    .values({
      id: secret.id,
      company_id: secret.companyId,
      hash: secret.hash,
      issued_at: secret.at,
      issued_by: secret.by,
    })
    .execute()
}
