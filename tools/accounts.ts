/**
 * `npm run accounts -- show dana@example.com` shows an account's type and prices. `type dana@example.com Fleet --until
 * 2027-03-31` sets its type through the end of that day in New York; `type dana@example.com Retail` resets it.
 * `price-list fleets fleets.csv --type Fleet` replaces the list with the file's contents. Uses the database at
 * DATABASE_URL, or the one of the store started by `npm start`.
 */
import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse/sync'
import { findCatalogIds } from '#domain/catalog/catalog/catalog.server.ts'
import { findAccountByEmail } from '#domain/customers/accounts/accounts.server.ts'
import { ACCOUNT_TYPES, type AccountType } from '#domain/pricing/pricing/pricing.ts'
import { endGrant, findGrant, grantType, importPriceList } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { labelOf, priceListColumns } from '#domain/pricing/price-tiers/price-tiers.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { PlainError } from '#platform/plain-error.ts'
import { print, runCommand } from './command.ts'
import { findStoreDatabase } from './store-database.ts'
import { uploadedCsv } from '#platform/csv-text.ts'
import { countOf } from '#platform/count-text.ts'

const zone = 'America/New_York'
const clock = systemClock

const usage = `Say what to do:
  npm run accounts -- show EMAIL                        on which terms an account buys
  npm run accounts -- type EMAIL TYPE [--until DAY]     give it a type, through that day (YYYY-MM-DD)
  npm run accounts -- price-list NAME FILE [--type TYPE]
                                                        make a price list what a CSV file says, for all accounts of a type
The columns of the file are ${priceListColumns.join(', ')}; see docs/runbooks/price-lists.md.
Types:
  ${ACCOUNT_TYPES.join(', ')}`

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-accounts' })
  const { values, positionals } = parseArgs({
    options: { until: { type: 'string' }, type: { type: 'string' } },
    allowPositionals: true,
  })
  const [what, email, type] = positionals
  if (what === 'show' && email !== undefined) return await show(db, email)
  if (what === 'type' && email !== undefined && isAccountType(type))
    return await setType(db, email, type, endOf(values.until))
  if (what === 'price-list' && email !== undefined && type !== undefined)
    return await importFile(db, email, type, values.type)
  throw new PlainError(usage)
})

async function show(db: Database, email: string): Promise<void> {
  const grant = await findGrant(db, await idOf(db, email), clock.now())
  if (!grant) return print(`${email} buys at retail.`)
  const end = grant.until ? `through ${dayOf(grant.until.subtract({ seconds: 1 }))}` : 'without an end'
  print(`${email} is ${grant.type} since ${dayOf(grant.since)}, ${end}, by ${grant.how} (${grant.by}).`)
}

async function setType(db: Database, email: string, type: AccountType, until: Temporal.Instant | null): Promise<void> {
  const accountId = await idOf(db, email)
  await db.transaction().execute(async (tx) => {
    const deps = { db: tx, clock }
    if (type !== 'Retail') return grantType(deps, { accountId, type, how: 'staff', until, by: userInfo().username })
    const grant = await findGrant(tx, accountId, clock.now())
    return grant && endGrant(deps, { accountId, type: grant.type })
  })
  await show(db, email)
}

async function importFile(db: Database, slug: string, file: string, type: string | undefined): Promise<void> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    throw new PlainError('A list is named in small letters and digits with hyphens, such as fleets-2027.')
  if (type !== undefined && (!isAccountType(type) || !labelOf(type)))
    throw new PlainError(`Accounts of the type ${type} don’t have custom prices.`)
  const records = readRecords(await readText(file), file)
  if (records.length === 0) throw new PlainError(`${file} has no rules. To end a list, give its rules an end.`)
  const imported = await importPriceList({ db, findCatalogIds }, { slug, type: type ?? null, records })
  if (!imported.ok) throw new PlainError(`No changes were made.\n${imported.detail.join('\n')}`)
  print(`The list ${slug} has ${countOf(imported.value.rules, 'rule')}.`)
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw new PlainError(`${file} cannot be read.`)
  }
}

function readRecords(text: string, file: string): Record<string, string>[] {
  try {
    const records: Record<string, string>[] = parse(text, { ...uploadedCsv, columns: true, trim: true })
    return records
  } catch (error) {
    throw new PlainError(`${file} cannot be read as CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function idOf(db: Database, email: string): Promise<string> {
  const id = await findAccountByEmail({ db }, email)
  if (id === undefined)
    throw new PlainError(`No account has the verified email ${email}. It begins with the first sign-in.`)
  return id
}

function isAccountType(text: string | undefined): text is AccountType {
  return ACCOUNT_TYPES.some((type) => type === text)
}

/** The first instant after the day. */
function endOf(day: string | undefined): Temporal.Instant | null {
  if (day === undefined) return null
  try {
    const end = Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(zone).toInstant()
    if (Temporal.Instant.compare(end, clock.now()) > 0) return end
  } catch {
    // Reported below.
  }
  throw new PlainError(`--until takes a day to come, such as 2027-03-31, not ${day}.`)
}

function dayOf(instant: Temporal.Instant): string {
  return instant.toZonedDateTimeISO(zone).toPlainDate().toString()
}
