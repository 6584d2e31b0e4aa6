/** The office customer list, with its URL parameters and rows. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findVerifiedAccounts } from '#domain/customers/accounts/accounts.server.ts'
import { selectMemberships } from '#domain/customers/companies/companies.server.ts'
import {
  countCustomers,
  isNewCustomer,
  listBlockedAmong,
  listCustomers,
  type Customer,
  type CustomerPlace,
} from '#domain/customers/customers/customers.server.ts'
import { maxCustomerSearch, type CustomerView } from '#domain/customers/customers/customers.ts'
import { selectCredits } from '#domain/payments/ledger/ledger.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { summarizeOrders, type OrderSummary } from '#domain/ordering/orders/orders.server.ts'
import { countText } from '#platform/count-text.ts'
import { monthDayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText, storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'

export type CustomerTag = { tone: Tone; words: string }

export type CustomerRow = {
  id: string
  path: string
  name: string
  /** Null if the name is the email. */
  email: string | null
  vehicle: string | null
  place: string | null
  /** `day` is "Today" or a short date, and `date` always has the year. */
  lastOrder: { day: string; date: string; number: string } | null
  orders: string
  spentCents: number
  tags: CustomerTag[]
}

const rowsPerPage = 25

type RowFacts = {
  now: Temporal.Instant
  isGuest: boolean
  isBlocked: boolean
  creditCents: number
  /** Null for a company that pays when ordering; undefined without a company. */
  netDays: number | null | undefined
}

/** Returns a page of rows, with the cursor of the next page. */
export async function readCustomerRows(
  app: Application,
  query: CustomerSearch,
  after: CustomerPlace | null,
): Promise<{ rows: CustomerRow[]; next: CustomerPlace | null }> {
  const { customers, next } = await listCustomers(app, shortened(query), { after, limit: rowsPerPage })
  return { rows: await rowsOf(app, customers), next }
}

/** Counts the rows, up to 100. */
export function countCustomerRows(app: Application, query: CustomerSearch): Promise<number> {
  return countCustomers(app, shortened(query), 100)
}

type CustomerSearch = { view: CustomerView; text: string }

const shortened = ({ view, text }: CustomerSearch) => ({ view, text: text.slice(0, maxCustomerSearch) })

async function rowsOf(app: Application, customers: readonly Customer[]): Promise<CustomerRow[]> {
  const { db, clock } = app
  const now = clock.now()
  const accounts = await findVerifiedAccounts(
    app,
    customers.flatMap(({ emails }) => emails),
  )
  const accountsOf = ({ emails }: Customer) =>
    accounts.filter(({ email }) => emails.includes(email)).map(({ id }) => id)
  const accountIds = accounts.map(({ id }) => id)
  const [summaries, credits, memberships, blocked] = await Promise.all([
    summarizeOrders(
      db,
      customers.map((customer) => ({ customerIds: customer.ids, accountIds: accountsOf(customer) })),
      now,
    ),
    selectCredits(db, accountIds),
    selectMemberships(db, accountIds),
    listBlockedAmong(
      db,
      customers.flatMap(({ ids }) => ids),
    ),
  ])
  return customers.map((customer, index) => {
    const own = accountsOf(customer)
    const company = memberships.find(({ accountId }) => own.includes(accountId))?.company
    return rowOf(customer, summaries[index], {
      now,
      isGuest: own.length === 0,
      isBlocked: customer.ids.some((id) => blocked.has(id)),
      creditCents: own.reduce((sum, id) => sum + (credits.get(id) ?? 0), 0),
      netDays: company && (company.terms?.netDays ?? null),
    })
  })
}

function rowOf(customer: Customer, summary: OrderSummary | undefined, of: RowFacts): CustomerRow {
  const name = customer.name ?? customer.email
  return {
    id: customer.id,
    path: officePaths.officeCustomer(customer.id),
    name,
    email: name === customer.email ? null : customer.email,
    vehicle: summary?.last?.vehicle ?? null,
    place: placeOf(customer),
    lastOrder: summary?.last
      ? {
          day: dayOf(summary.last.placedAt, of.now),
          date: storeDateText(summary.last.placedAt),
          number: orderNumber(summary.last.id),
        }
      : null,
    orders: countText(summary?.orders ?? 0),
    spentCents: summary?.spentCents ?? 0,
    tags: tagsOf(customer, of),
  }
}

function tagsOf(customer: Customer, { now, isBlocked, isGuest, creditCents, netDays }: RowFacts): CustomerTag[] {
  return [
    ...(isBlocked ? [{ tone: 'stop' as const, words: 'Blocked' }] : []),
    ...(creditCents > 0 ? [{ tone: 'go' as const, words: `Credit ${formatCents(creditCents)}` }] : []),
    ...(netDays === undefined
      ? []
      : [{ tone: 'plain' as const, words: netDays === null ? 'Company' : `Company, net ${netDays}` }]),
    ...(isNewCustomer(customer, now) ? [{ tone: 'plain' as const, words: 'New' }] : []),
    ...(isGuest ? [{ tone: 'plain' as const, words: 'Guest' }] : []),
  ]
}

/** "Chicago, IL"; null for a customer who has not ordered. */
export function placeOf({ city, state }: Pick<Customer, 'city' | 'state'>): string | null {
  return [city, state].filter(Boolean).join(', ') || null
}

function dayOf(at: Temporal.Instant, now: Temporal.Instant): string {
  const [day, today] = [storeDay(at), storeDay(now)]
  if (day.equals(today)) return 'Today'
  return day.year === today.year ? monthDayText(day) : storeDateText(at)
}
