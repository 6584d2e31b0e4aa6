/** A customer as staff see them: who they are, what they ordered, and what was written. */
import { officePaths } from '#content/office-paths.ts'
import {
  findAccount,
  findVerifiedAccounts,
  listAddresses,
  type FoundAccount,
  type SavedAddress,
} from '#domain/accounts/accounts.server.ts'
import { selectMemberships, type Membership } from '#domain/companies/companies.server.ts'
import {
  findCustomer,
  findCustomerByEmail,
  listPossibleDuplicates,
  type Customer,
} from '#domain/customers/customers.server.ts'
import { selectCreditEntries, selectCredits, type CreditEntry } from '#domain/ledger/ledger.server.ts'
import { orderNumber, orderStatus } from '#domain/orders/orders.ts'
import {
  selectCustomerOrders,
  summarizeOrders,
  type CustomerOrder,
  type OrderingCustomer,
  type OrderSummary,
} from '#domain/orders/orders.server.ts'
import { findGrant } from '#domain/price-tiers/price-tiers.server.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/staff/staff.ts'
import { countOf, countText } from '#platform/count-text.ts'
import { isId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Shop } from '#shop'
import { readConsents } from './office-customer-consents.server.ts'
import { readCustomerMessages } from './office-customer-messages.server.ts'
import { readCustomerVehicles } from './office-customer-vehicles.server.ts'
import { initialsOf, placeOf, sentence } from './office-customers.server.ts'
import { tagOf } from './office-orders.server.ts'

/** Who a page is about: a customer with their accounts, or an account whose email nobody verified, alone. */
export type Person = {
  /** The id of the page. */
  id: string
  customer: Customer | null
  accounts: readonly FoundAccount[]
  emails: readonly string[]
  ordering: OrderingCustomer
}

const ordersShown = 50

/** Finds who the id of a customer or account is; undefined if nobody. */
export async function findPerson(shop: Shop, id: string): Promise<Person | undefined> {
  if (!isId(id)) return undefined
  const known = await findCustomer(shop, id)
  if (known) return personOf(shop, known)
  const account = await findAccount(shop, id)
  if (!account) return undefined
  const own =
    account.email !== null && account.emailVerifiedAt !== null
      ? await findCustomerByEmail(shop, account.email)
      : undefined
  if (own) return personOf(shop, own)
  const ordering = { customerIds: [], accountIds: [account.id] }
  return { id: account.id, customer: null, accounts: [account], emails: [], ordering }
}

async function personOf(shop: Shop, customer: Customer): Promise<Person> {
  const accounts = await findVerifiedAccounts(shop, customer.emails)
  const ordering = { customerIds: customer.ids, accountIds: accounts.map(({ id }) => id) }
  return { id: customer.id, customer, accounts, emails: customer.emails, ordering }
}

/** Everything that the page of a customer shows to staff with these roles. */
export async function readCustomerView(shop: Shop, person: Person, roles: readonly StaffRole[]) {
  const { db, clock } = shop
  const { customer, accounts, ordering, emails } = person
  const can = (permission: Permission) => staffCan(roles, permission)
  const now = clock.now()
  const { accountIds } = ordering
  const [[summary], orders, duplicates, grants, memberships, credits, entries, addresses] = await Promise.all([
    summarizeOrders(db, [ordering], now),
    selectCustomerOrders(db, ordering, ordersShown),
    customer ? listPossibleDuplicates(shop, customer) : [],
    Promise.all(accountIds.map((id) => findGrant(db, id, now))),
    selectMemberships(db, accountIds),
    selectCredits(db, accountIds),
    selectCreditEntries(db, accountIds, 20),
    Promise.all(accountIds.map((id) => listAddresses(shop, id))),
  ])
  const orderIds = orders.map(({ id }) => id)
  const [vehicles, consents, messages] = await Promise.all([
    readCustomerVehicles(shop, { accountIds, orderIds }),
    readConsents(shop, { accountIds, orderIds, emails }),
    can('requests.read') ? readCustomerMessages(shop, { emails, orderIds }) : null,
  ])
  const name = nameOf(person)
  return {
    id: person.id,
    name,
    initials: initialsOf(name),
    isGuest: accounts.length === 0,
    since: storeDateText(customer?.createdAt ?? accounts[0]?.createdAt ?? now),
    place: customer && placeOf(customer),
    facts: factsOf(summary, { credits, last: messages?.last ?? null }),
    duplicates: duplicates.map((other) => ({
      id: other.id,
      path: officePaths.officeCustomer(other.id),
      name: other.name ?? other.email,
      email: other.email,
    })),
    orders: orders.map((order) => orderRow(order, now)),
    hasMoreOrders: (summary?.orders ?? 0) > orders.length,
    allOrders: emails[0] === undefined ? null : officePaths.officeSearch({ q: emails[0] }),
    vehicles,
    messages: messages?.entries ?? null,
    contact: contactOf(person, { types: grants.map((grant) => grant?.type ?? 'Retail') }),
    addresses: addresses.flat().map(addressOf),
    credit: { balance: formatCents(sumOf(credits)), entries: entries.map(creditRow) },
    companies: memberships.map((membership) => companyRow(membership, can('companies.read'))),
    consents,
  }
}

export type CustomerView = Awaited<ReturnType<typeof readCustomerView>>

function nameOf({ customer, accounts: [account] }: Person): string {
  return account?.name ?? customer?.name ?? customer?.email ?? account?.email ?? 'Account without a name'
}

function addressOf(saved: SavedAddress) {
  return {
    key: saved.id,
    name: [saved.firstName, saved.lastName].join(' '),
    lines: [
      [saved.address1, saved.address2].filter(Boolean).join(', '),
      `${saved.city}, ${saved.state} ${saved.zip}`,
      phoneText(saved.phone.digits),
    ],
  }
}

function creditRow({ at, reason, cents, orderId }: CreditEntry) {
  return {
    reason: orderId === null ? sentence(reason) : `${sentence(reason)}, ${orderNumber(orderId)}`,
    day: storeDateText(at),
    amount: `${cents < 0 ? '−' : '+'}${formatCents(Math.abs(cents))}`,
    isGiven: cents > 0,
  }
}

function companyRow({ company, role }: Membership, isLinked: boolean) {
  return {
    name: company.name,
    path: isLinked ? officePaths.officeCompany(company.id) : null,
    note: [sentence(role), company.terms ? `net ${company.terms.netDays}` : 'pays when ordering'].join(' · '),
  }
}

function factsOf(
  summary: OrderSummary | undefined,
  { credits, last }: { credits: ReadonlyMap<string, number>; last: { time: string; note: string } | null },
): { label: string; value: string; meta: string }[] {
  const { orders = 0, openOrders = 0, spentCents = 0, tires = 0, canceledTires = 0 } = summary ?? {}
  return [
    { label: 'Orders', value: countText(orders), meta: `${countText(openOrders)} open` },
    { label: 'Spent', value: formatCents(spentCents), meta: 'without canceled orders and refunds' },
    {
      label: 'Tires bought',
      value: countText(tires),
      meta: canceledTires > 0 ? `${countText(canceledTires)} more canceled` : 'none canceled',
    },
    { label: 'Store credit', value: formatCents(sumOf(credits)), meta: 'no end date' },
    ...(last ? [{ label: 'Last contact', value: last.time, meta: last.note }] : []),
  ]
}

function sumOf(credits: ReadonlyMap<string, number>): number {
  return [...credits.values()].reduce((sum, cents) => sum + cents, 0)
}

function orderRow(order: CustomerOrder, now: Temporal.Instant) {
  const { id, placedAt, tires, totalCents, shop, appointmentStart, timeZone } = order
  const tag = order.isInstalled ? { tone: 'go' as const, words: 'Done' } : tagOf(orderStatus(order, now))
  return {
    id: String(id),
    number: orderNumber(id),
    path: officePaths.officeOrder(id),
    placed: storeDateText(placedAt),
    tires: tires.length > 0 ? tires.join('; ') : 'No tires',
    appointment: appointmentStart
      ? [timeText(appointmentStart, timeZone), shop].filter(Boolean).join(', ')
      : 'No appointment',
    tag,
    total: formatCents(totalCents),
  }
}

function contactOf(
  { customer, accounts, emails }: Person,
  { types }: { types: readonly string[] },
): (readonly [label: string, value: string])[] {
  const isVerified = (email: string) => accounts.some((account) => account.email === email && account.emailVerifiedAt)
  const shown = customer ? emails : accounts.flatMap(({ email }) => (email === null ? [] : [email]))
  return [
    ...(customer?.phone ? [['Phone', phoneText(customer.phone)] as const] : []),
    ...shown.map((email) => ['Email', `${email}${isVerified(email) ? ' (confirmed)' : ' (not confirmed)'}`] as const),
    ...(customer?.zip ? [['Place', `${placeOf(customer) ?? ''} ${customer.zip}`] as const] : []),
    ...types.map((type) => ['Account type', type] as const),
    ['Sign-in', accounts.length === 0 ? 'Guest, no account' : countOf(accounts.length, 'account')] as const,
  ]
}
