/**
 * `npm run companies -- list`: applications and certificates that wait for somebody. `approve`, `refuse` and `close`
 * decide about a company, `terms`, `domain` and `brands` set what it may do, `certificate`, `accept` and `decline` are
 * about its tax exemptions, `owed` and `paid` about its invoices. A company is named by its id or its name. Works on
 * the database at DATABASE_URL, or of the store that `npm start` runs.
 */
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import {
  addDomain,
  decideCompany,
  decideExemption,
  findCertificate,
  findCompany,
  listCompanies,
  listWaitingExemptions,
  setBrands,
  setTerms,
  type Company,
} from '#domain/companies/companies.server.ts'
import { kindNames } from '#domain/companies/companies.ts'
import { findCreditLine, listInvoices, recordInvoicePaid } from '#domain/invoices/invoices.server.ts'
import { orderNumber, parseOrderNumber } from '#domain/orders/orders.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { print, runCommand } from './command.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = `Say what to do:
  list
  approve|refuse|close COMPANY
  terms COMPANY prepaid            terms COMPANY 30 5000      (net 30 days, up to $5,000)
  domain COMPANY acme.com [buyer|viewer]
  brands COMPANY all               brands COMPANY kestrel,tarn   (nothing else is shown or sold to it)
  brands account@mail all          the same for one account
  owed COMPANY                     paid S-104001 ACH-77201       (an invoice is paid, with the number of the transfer or check)
  certificate ID file.pdf          accept ID                  decline ID`

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-companies' })
  const deps = { db, clock: systemClock }
  const by = userInfo().username
  const [what, name = '', first, second] = process.argv.slice(2)
  switch (what) {
    case 'list':
      return await list(db)
    case 'approve':
    case 'refuse':
    case 'close': {
      const company = await companyOf(db, name)
      const decided = await decideCompany(deps, { id: company.id, decision: what, by })
      if (!decided.ok) throw new PlainError(`${company.name} is ${company.state}: that cannot be done now.`)
      return print(`${company.name}: done.`)
    }
    case 'terms':
      return await terms(db, await companyOf(db, name), first, second)
    case 'domain': {
      const company = await companyOf(db, name)
      const added = await addDomain(deps, {
        id: company.id,
        domain: first ?? '',
        role: second === 'viewer' ? 'viewer' : 'buyer',
        by,
      })
      if (!added.ok)
        throw new PlainError(
          {
            'free-mail': 'Anybody can have a mailbox there.',
            'no-domain': usage,
            taken: 'That domain is tied to a company already.',
          }[added.reason],
        )
      return print(`Who has a verified email at ${first} may join ${company.name}.`)
    }
    case 'brands':
      return await brands(db, name, first)
    case 'owed':
      return await owed(db, await companyOf(db, name))
    case 'paid': {
      const orderId = parseOrderNumber(name)
      if (orderId === undefined || !first) throw new PlainError(usage)
      const paid = await recordInvoicePaid(deps, { orderId, by, reference: first.slice(0, 60) })
      if (!paid.ok) throw new PlainError(`No invoice of order ${name} is open.`)
      return print(`${orderNumber(orderId)}: ${formatCents(paid.value.amountCents)} paid.`)
    }
    case 'certificate': {
      const file = await findCertificate({ db }, name)
      if (!file) throw new PlainError(`There is no certificate ${name}.`)
      const path = first ?? file.name
      await writeFile(path, file.bytes)
      return print(`Saved ${path}. It was sent by a customer: open it as such.`)
    }
    case 'accept':
    case 'decline': {
      const decided = await decideExemption(deps, { id: name, isAccepted: what === 'accept', by })
      if (!decided.ok) throw new PlainError(`No certificate ${name} waits.`)
      return print('Done.')
    }
    default:
      throw new PlainError(usage)
  }
})

async function list(db: Database): Promise<void> {
  const [applied, exemptions] = await Promise.all([listCompanies({ db }, 'applied'), listWaitingExemptions({ db })])
  for (const { id, name, kind, applicant, vehicles, phone } of applied)
    print(
      visibleLine(`${id}  ${name} (${kindNames[kind]}, ${vehicles} vehicles), ${applicant ?? 'no email'}, ${phone}`),
    )
  for (const { id, company, state, number, expiresOn } of exemptions)
    print(visibleLine(`${id}  certificate of ${company} for ${state}: ${number}, until ${expiresOn.toString()}`))
  if (applied.length + exemptions.length === 0) print('Nothing waits.')
}

async function owed(db: Database, company: Company): Promise<void> {
  const deps = { db, clock: systemClock }
  const line = await findCreditLine(deps, company.id)
  const { invoices } = await listInvoices(deps, company.id)
  for (const { orderId, amountCents, dueOn, isOverdue, state } of invoices)
    if (state === 'open')
      print(`${orderNumber(orderId)}  ${formatCents(amountCents)}  ${isOverdue ? 'overdue since' : 'due'} ${dueOn}`)
  print(
    line
      ? `${formatCents(line.openCents)} of ${formatCents(line.limitCents)} owed, ${formatCents(line.overdueCents)} overdue.`
      : 'It pays when it orders.',
  )
}

async function terms(db: Database, company: Company, days = '', dollars = ''): Promise<void> {
  const [netDays, limit] = [Number(days), Number(dollars)]
  const isNet = Number.isInteger(netDays) && netDays >= 1 && netDays <= 120 && limit > 0
  if (days !== 'prepaid' && !isNet) throw new PlainError(usage)
  const set = await setTerms(
    { db },
    { id: company.id, terms: isNet ? { netDays, creditLimitCents: Math.round(limit * 100) } : null },
  )
  if (!set.ok) throw new PlainError(`${company.name} is not approved: it pays when it orders.`)
  print(isNet ? `${company.name} pays within ${netDays} days.` : `${company.name} pays when it orders.`)
}

async function brands(db: Database, name: string, slugs: string | undefined): Promise<void> {
  if (slugs === undefined) throw new PlainError(usage)
  const account = name.includes('@')
    ? await db
        .selectFrom('account')
        .select('id')
        .where('email', '=', name.toLowerCase())
        .where('email_verified_at', 'is not', null)
        .executeTakeFirst()
    : undefined
  const owner = account
    ? ({ of: 'account', id: account.id } as const)
    : ({ of: 'company', id: (await companyOf(db, name)).id } as const)
  const set = await setBrands({ db }, owner, slugs === 'all' ? null : slugs.split(',').filter(Boolean))
  if (!set.ok) throw new PlainError(`There is no brand ${set.detail.slugs.join(', ')}. Nothing was changed.`)
  print(slugs === 'all' ? `${name} is sold all brands.` : `${name} is shown and sold ${slugs} only.`)
}

async function companyOf(db: Database, name: string): Promise<Company> {
  const company = await findCompany({ db }, name)
  if (!company) throw new PlainError(`There is no company ${name}, or more than one. Name it by its id.`)
  return company
}
