/**
 * `npm run companies -- list` lists applications and certificates that await review. `approve`, `refuse`, and `close`
 * decide on a company; `terms`, `domain`, and `brands` set its permissions; `certificate`, `accept`, and `decline`
 * manage its tax exemptions; `owed` and `paid` its invoices. A company is identified by ID or name. Uses the database
 * at DATABASE_URL, or the one of the store started by `npm start`.
 */
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
} from '#domain/customers/companies/companies.server.ts'
import { kindNames } from '#domain/customers/companies/companies.ts'
import { findCreditLine, listInvoices, recordInvoicePaid } from '#domain/payments/invoices/invoices.server.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { visibleLine } from '#platform/plain-text.ts'
import { PlainError } from '#platform/plain-error.ts'
import { countOf } from '#platform/count-text.ts'
import { commandActor, print, runCommand } from './command.ts'
import { saveFile } from './save-file.ts'
import { findStoreDatabase } from './store-database.ts'

const usage = `Say what to do:
  list
  approve|refuse|close COMPANY
  terms COMPANY prepaid            terms COMPANY 30 5000      (net 30 days, up to $5,000)
  domain COMPANY acme.com [buyer|viewer]
  brands COMPANY all               brands COMPANY kestrel,tarn   (nothing else is shown or sold to it)
  brands account@mail all          the same for one account
  owed COMPANY                     paid S-104001 ACH-77201 [250.00] (record a payment with the number of its transfer or check; all of it without an amount)
  certificate ID file.pdf          accept ID                  decline ID`

await runCommand(async () => {
  await using db = createDatabase(await findStoreDatabase(), { size: 1, application: 'sidewall-companies' })
  const [what, name = '', first, second] = process.argv.slice(2)
  switch (what) {
    case 'list':
      return await list(db)
    case 'approve':
    case 'refuse':
    case 'close':
      return await decide(db, await companyOf(db, name), what)
    case 'terms':
      return await terms(db, await companyOf(db, name), first, second)
    case 'domain':
      return await domain(db, await companyOf(db, name), first, second)
    case 'brands':
      return await brands(db, name, first)
    case 'owed':
      return await owed(db, await companyOf(db, name))
    case 'paid':
      return await paid(db, name, { reference: first, dollars: second })
    case 'certificate':
      return await certificate(db, name, first)
    case 'accept':
    case 'decline':
      return await exemption(db, name, what === 'accept')
    default:
      throw new PlainError(usage)
  }
})

async function list(db: Database): Promise<void> {
  const [applied, exemptions] = await Promise.all([listCompanies({ db }, 'applied'), listWaitingExemptions({ db })])
  for (const { id, name, kind, applicant, vehicles, phone } of applied)
    print(
      visibleLine(
        `${id}  ${name} (${kindNames[kind]}, ${countOf(vehicles, 'vehicle')}), ${applicant ?? 'no email'}, ${phone}`,
      ),
    )
  for (const { id, company, state, number, expiresOn } of exemptions)
    print(visibleLine(`${id}  certificate of ${company} for ${state}: ${number}, until ${expiresOn.toString()}`))
  if (applied.length + exemptions.length === 0) print('Nothing waits.')
}

async function decide(db: Database, company: Company, decision: 'approve' | 'refuse' | 'close'): Promise<void> {
  const decided = await decideCompany({ db, clock: systemClock }, { id: company.id, decision, by: commandActor() })
  if (!decided.ok) throw new PlainError(`${company.name} is ${company.state}: that cannot be done now.`)
  print(`${company.name}: done.`)
}

async function domain(db: Database, company: Company, name = '', role?: string): Promise<void> {
  const added = await addDomain(
    { db, clock: systemClock },
    { id: company.id, domain: name, role: role === 'viewer' ? 'viewer' : 'buyer', by: commandActor() },
  )
  if (!added.ok)
    throw new PlainError(
      {
        'free-mail': 'Anyone can get a mailbox there.',
        'no-domain': usage,
        taken: 'That domain is tied to a company already.',
        'not-allowed': 'Not allowed.',
      }[added.reason],
    )
  print(`Anyone with a verified email at ${name} can join ${company.name}.`)
}

async function paid(
  db: Database,
  order: string,
  { reference, dollars }: { reference: string | undefined; dollars: string | undefined },
): Promise<void> {
  const orderId = parseOrderNumber(order)
  if (orderId === undefined || !reference || !/^(\d{1,7}(\.\d{2})?)?$/.test(dollars ?? '')) throw new PlainError(usage)
  const cents = dollars ? Math.round(Number(dollars) * 100) : undefined
  const invoice = await recordInvoicePaid(
    { db, clock: systemClock },
    { orderId, cents, by: commandActor(), reference: reference.slice(0, 60) },
  )
  if (!invoice.ok)
    throw new PlainError(
      invoice.reason === 'too-much'
        ? `${formatCents(invoice.detail.leftCents)} are left to pay. The payment wasn’t recorded.`
        : invoice.reason === 'recorded-already'
          ? `${reference} is recorded for this order already.`
          : `No invoice of order ${order} is open.`,
    )
  const { amountCents, leftCents } = invoice.value
  print(`${orderNumber(orderId)}: ${formatCents(amountCents)} paid, ${formatCents(leftCents)} left.`)
}

async function certificate(db: Database, id: string, savedAs: string | undefined): Promise<void> {
  const file = await findCertificate({ db }, id)
  if (!file) throw new PlainError(`There is no certificate ${id}.`)
  await saveFile(db, file, savedAs ?? file.name, 'customer')
}

async function exemption(db: Database, id: string, isAccepted: boolean): Promise<void> {
  const decided = await decideExemption({ db, clock: systemClock }, { id, isAccepted, by: commandActor() })
  if (!decided.ok) throw new PlainError(`No certificate ${id} is pending.`)
  print('Done.')
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
    { db, clock: systemClock },
    {
      id: company.id,
      by: commandActor(),
      terms: isNet ? { netDays, creditLimitCents: Math.round(limit * 100) } : null,
    },
  )
  if (!set.ok) throw new PlainError(`${company.name} is not approved: it pays when it orders.`)
  print(isNet ? `${company.name} pays within ${countOf(netDays, 'day')}.` : `${company.name} pays when it orders.`)
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
  const set = await setBrands({ db, clock: systemClock }, owner, {
    slugs: slugs === 'all' ? null : slugs.split(',').filter(Boolean),
    by: commandActor(),
  })
  if (!set.ok)
    throw new PlainError(
      set.reason === 'brand-not-found' ? `There is no brand ${set.detail.slugs.join(', ')}.` : 'Not allowed.',
    )
  print(slugs === 'all' ? `${name} is sold all brands.` : `${name} is shown and sold ${slugs} only.`)
}

async function companyOf(db: Database, name: string): Promise<Company> {
  const company = await findCompany({ db }, name)
  if (!company) throw new PlainError(`There is no company ${name}, or more than one. Name it by its id.`)
  return company
}
