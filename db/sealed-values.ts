/**
 * Values sealed with `SESSION_SECRET`. Checks whether the given secrets open them, and re-encrypts them with the first.
 * See docs/runbooks/secrets.md.
 */
import { sql } from 'kysely'
import { tokensPurpose } from '#domain/customers/accounts/accounts.server.ts'
import { portalIdTokenPurpose } from '#domain/installer-portal/portal/portal.server.ts'
import { answerPurpose, documentSecretPurpose } from '#domain/channels/purchasing/purchasing.server.ts'
import { officeIdTokenPurpose } from '#domain/kernel/staff/staff.server.ts'
import { availabilityKeyPurpose, ediSecretPurpose, supplierSecretPurpose } from '#domain/supply/stock/stock.server.ts'
import { feedSecretPurpose } from '#domain/catalog/supplier-feeds/supplier-feeds.server.ts'
import type { Database } from '#platform/db.ts'
import { isSealedByFirst, seal, unseal } from '#platform/sealing.ts'
import type { Secrets } from '#platform/secrets.ts'

type SealedColumn = { table: string; key: readonly string[]; column: string; purpose: string }

/** Every sealed column with its primary key. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'account_session', key: ['id'], column: 'tokens', purpose: tokensPurpose },
  { table: 'office_session', key: ['id'], column: 'id_token', purpose: officeIdTokenPurpose },
  { table: 'portal_session', key: ['id'], column: 'id_token', purpose: portalIdTokenPurpose },
  { table: 'purchasing_system', key: ['company_id'], column: 'document_secret', purpose: documentSecretPurpose },
  { table: 'supplier', key: ['id'], column: 'cxml_secret', purpose: supplierSecretPurpose },
  { table: 'supplier', key: ['id'], column: 'edi_secret', purpose: ediSecretPurpose },
  { table: 'supplier', key: ['id'], column: 'availability_key', purpose: availabilityKeyPurpose },
  { table: 'supplier_feed', key: ['id'], column: 'secret', purpose: feedSecretPurpose },
  { table: 'purchasing_message', key: ['company_id', 'payload_id'], column: 'answer', purpose: answerPurpose },
]

type SealedCount = {
  name: string
  /** How many values there are. */
  checked: number
  /** The number of values that the secrets can't open. */
  shut: number
  /** How many open, but not with the first secret. */
  behind: number
}

const rowsAtOnce = 500

type Row = { keys: string[]; bytes: Buffer }

/** Counts the sealed values of each column and how many the secrets open. */
export async function inspectSealed(db: Database, secrets: Secrets): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const sealed of sealedColumns) {
    const count = { name: `${sealed.table}.${sealed.column}`, checked: 0, shut: 0, behind: 0 }
    for await (const { bytes } of rowsOf(db, sealed)) {
      count.checked += 1
      if (isSealedByFirst(secrets, sealed.purpose, bytes)) continue
      if (unseal(secrets, sealed.purpose, bytes) === undefined) count.shut += 1
      else count.behind += 1
    }
    counts.push(count)
  }
  return counts
}

/** Counts the sealed values that the secrets can't open, as a finding of `npm run verify`. */
export async function findUnopened(
  db: Database,
  secrets: Secrets,
): Promise<{ name: string; severity: 'error'; broken: number }> {
  const counts = await inspectSealed(db, secrets)
  return { name: 'sealed-values-open', severity: 'error', broken: counts.reduce((sum, { shut }) => sum + shut, 0) }
}

/**
 * Re-encrypts each value that opens with a secret other than the first. Concurrent changes are preserved. Returns the
 * number of re-encrypted values and of values that the secrets can't open.
 */
export async function reseal(db: Database, secrets: Secrets): Promise<{ resealed: number; shut: number }> {
  const done = { resealed: 0, shut: 0 }
  for (const sealed of sealedColumns)
    for await (const row of rowsOf(db, sealed)) {
      if (isSealedByFirst(secrets, sealed.purpose, row.bytes)) continue
      const text = unseal(secrets, sealed.purpose, row.bytes)
      if (text === undefined) done.shut += 1
      else done.resealed += await replaceBytes(db, sealed, row, seal(secrets, sealed.purpose, text))
    }
  return done
}

async function replaceBytes(db: Database, { table, key, column }: SealedColumn, row: Row, bytes: Buffer) {
  const result = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${bytes}
    where (${sql.join(key.map((name) => sql`${sql.ref(name)}::text`))}) = (${sql.join(row.keys)})
      and ${sql.ref(column)} = ${row.bytes}`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Reads the values in key order, in batches. */
async function* rowsOf(db: Database, { table, key, column }: SealedColumn): AsyncGenerator<Row> {
  const keys = sql.join(key.map((name) => sql`${sql.ref(name)}::text`))
  let after: string[] | undefined
  for (;;) {
    const { rows } = await sql<Row>`
      select array[${keys}] as keys, ${sql.ref(column)} as bytes from ${sql.table(table)}
      where ${sql.ref(column)} is not null ${after ? sql`and array[${keys}] > ${after}::text[]` : sql``}
      order by array[${keys}] limit ${rowsAtOnce}`.execute(db)
    yield* rows
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)?.keys
  }
}
