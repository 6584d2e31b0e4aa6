/** A customer as staff see them, with identity, orders and conversations. */
import { arrangeActions, type DetailActions } from '#app/office/detail-actions.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  findAccount,
  findVerifiedAccounts,
  listAddresses,
  type FoundAccount,
  type SavedAddress,
} from '#domain/customers/accounts/accounts.server.ts'
import { selectMemberships, type Membership } from '#domain/customers/companies/companies.server.ts'
import {
  findCustomer,
  findBlock,
  findCustomerByEmail,
  listCustomerNotes,
  selectImportedDetails,
  selectPastOrders,
  listPastEmails,
  listPossibleDuplicates,
  type Block,
  type Customer,
  type CustomerNote,
} from '#domain/customers/customers/customers.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { orderStatus } from '#domain/ordering/orders/orders.ts'
import {
  selectCustomerOrders,
  summarizeOrders,
  type CustomerOrder,
  type OrderingCustomer,
  type OrderSummary,
} from '#domain/ordering/orders/orders.server.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { countOf, countText } from '#platform/count-text.ts'
import { isId, newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { readAccountTypes } from './account-types.server.ts'
import { readCredit } from './credit.server.ts'
import { readCustomerReply } from './customer-reply.server.ts'
import { importedAddress, importedConsent, pastOrderRow } from './customer-imports.ts'
import { readConsents } from './customer-consents.server.ts'
import { messageChips, readCustomerMessages } from './customer-messages.server.ts'
import { readCustomerVehicles } from './customer-vehicles.server.ts'
import { placeOf } from './customers.server.ts'
import { capital } from './order-ledger.server.ts'
import { tagOf } from './orders.server.ts'

/** The subject of the page. It is a customer with their accounts, or just an account with an unverified email. */
export type Person = {
  /** The id of the page. */
  id: string
  customer: Customer | null
  accounts: readonly FoundAccount[]
  emails: readonly string[]
  ordering: OrderingCustomer
}

const ordersShown = 50

/** Returns the person with a customer or account id; undefined if there isn't one. */
export async function findPerson(app: Application, id: string): Promise<Person | undefined> {
  if (!isId(id)) return undefined
  const known = await findCustomer(app, id)
  if (known) return personOf(app, known)
  const account = await findAccount(app, id)
  if (!account) return undefined
  const own =
    account.email !== null && account.emailVerifiedAt !== null
      ? await findCustomerByEmail(app, account.email)
      : undefined
  if (own) return personOf(app, own)
  const ordering = { customerIds: [], accountIds: [account.id] }
  return { id: account.id, customer: null, accounts: [account], emails: [], ordering }
}

/** Returns the person with an email, or a customer or account id; undefined if there isn't one. */
export async function findPersonNamed(app: Application, text: string): Promise<Person | undefined> {
  if (!text.includes('@')) return findPerson(app, text)
  const customer = await findCustomerByEmail(app, text)
  return customer && personOf(app, customer)
}

async function personOf(app: Application, customer: Customer): Promise<Person> {
  const accounts = await findVerifiedAccounts(app, customer.emails)
  const ordering = { customerIds: customer.ids, accountIds: accounts.map(({ id }) => id) }
  return { id: customer.id, customer, accounts, emails: customer.emails, ordering }
}

/** Everything that the page of a customer shows to staff with these roles; `messages` is the kind of messages. */
export async function readCustomerView(
  app: Application,
  person: Person,
  { roles, messages: kind = null }: { roles: readonly StaffRole[]; messages?: string | null },
) {
  const { db, clock } = app
  const { customer, ordering, emails } = person
  const can = (permission: Permission) => staffCan(roles, permission)
  const now = clock.now()
  const { accountIds } = ordering
  const [[summary], orders, own, memberships, credit, addresses] = await Promise.all([
    summarizeOrders(db, [ordering], now),
    selectCustomerOrders(db, ordering, ordersShown),
    readOwn(app, customer),
    selectMemberships(db, accountIds),
    readCredit(db, accountIds),
    Promise.all(accountIds.map((id) => listAddresses(app, id))),
  ])
  const orderIds = orders.map(({ id }) => id)
  const mayWrite = canWriteTo(person, orderIds) && can('requests.answer')
  const { duplicates, block, notes } = own
  const [vehicles, consents, messages, reply, accountTypes] = await Promise.all([
    readCustomerVehicles(app, { accountIds, orderIds }),
    readConsents(app, { accountIds, orderIds, emails }),
    can('requests.read') ? readCustomerMessages(app, { emails: [...emails, ...own.pastEmails], orderIds, kind }) : null,
    mayWrite ? readCustomerReply(app, { name: nameOf(person), orderIds }) : null,
    readAccountTypes(app, accountIds, { memberships, can }),
  ])
  return {
    id: person.id,
    name: nameOf(person),
    isGuest: person.accounts.length === 0,
    since: sinceOf(person),
    place: customer && placeOf(customer),
    facts: factsOf(summary, { credit: credit.balance, last: messages?.last ?? null }),
    block: block ? blockOf(block) : null,
    notes: customer && { mayAdd: can('customers.note'), once: newId(), entries: notes.map(noteRow) },
    actions: actionsOf(person, { can, isBlocked: block !== undefined, mayWrite }),
    duplicates: duplicates.map((other) => duplicateOf(other, person, can('customers.manage'))),
    orders: orders.map((order) => orderRow(order, now)),
    hasMoreOrders: (summary?.orders ?? 0) > orders.length,
    allOrders: searchOf(person),
    pastOrders: own.pastOrders.map(pastOrderRow),
    vehicles,
    messages: messages && { bubbles: messages.bubbles, zone: null, reply, chips: messageChips(person.id, kind) },
    ...linksOf(person, can),
    contact: contactOf(person),
    accountTypes,
    addresses: [...addresses.flat().map(addressOf), ...own.imported.flatMap(importedAddress)],
    credit,
    companies: memberships.map((membership) => companyRow(membership, can('companies.read'))),
    consents: [...consents, ...own.imported.flatMap(importedConsent)],
    privacy: can('customers.manage') && customer ? privacyOf(person, summary) : null,
  }
}

export type CustomerView = Awaited<ReturnType<typeof readCustomerView>>

/** Whether there is anything to write about, or an email to write to. */
function canWriteTo({ customer }: Person, orderIds: readonly number[]): boolean {
  return customer !== null || orderIds.length > 0
}

/** The pages on which staff with these permissions change what the panels show. */
function linksOf({ id, customer, accounts }: Person, can: (permission: Permission) => boolean) {
  return {
    addVehicle: can('customers.edit') && accounts.length > 0 ? officePaths.officeCustomerVehicle(id) : null,
    edit: can('customers.edit') && customer ? officePaths.officeCustomerContact(id) : null,
    give: can('credit.give') ? officePaths.officeCustomerCredit(id) : null,
    setType: can('account-types.set') && customer ? officePaths.officeCustomerType(id) : null,
  }
}

/** Data that customers have, but not accounts with an unverified email. */
async function readOwn(app: Application, customer: Customer | null) {
  if (!customer) return { duplicates: [], pastEmails: [], block: undefined, notes: [], imported: [], pastOrders: [] }
  const { ids } = customer
  const [duplicates, pastEmails, block, notes, imported] = await Promise.all([
    listPossibleDuplicates(app, customer),
    listPastEmails(app.db, ids),
    findBlock(app, ids),
    listCustomerNotes(app, ids),
    selectImportedDetails(app.db, ids),
  ])
  const pastOrders = await selectPastOrders(app.db, [...customer.emails, ...pastEmails], ordersShown)
  return { duplicates, pastEmails, block, notes, imported, pastOrders }
}

/** Returns the available data requests, and what blocks an erasure. */
function privacyOf({ id }: Person, summary: OrderSummary | undefined) {
  const openOrders = summary?.openOrders ?? 0
  return {
    file: officePaths.officeCustomerFile(id),
    erase: officePaths.officeCustomerErase(id),
    waits: openOrders > 0 ? `Erasure starts after ${countOf(openOrders, 'open order')} finishes.` : null,
  }
}

/** Returns the staff actions for a customer, starting with writing to them, about an order or in general. */
function actionsOf(
  { id, customer }: Person,
  { can, isBlocked, mayWrite }: { can: (permission: Permission) => boolean; isBlocked: boolean; mayWrite: boolean },
): DetailActions {
  const mayManage = can('customers.manage') && customer !== null
  const message = mayWrite ? { name: 'Message', path: `${officePaths.officeCustomer(id)}#conversation` } : undefined
  const manage = (name: string, path: string) => (mayManage ? [{ name, path, group: 'Customer', whyNot: null }] : [])
  return arrangeActions(
    [
      ...(can('quotes.write')
        ? [{ name: 'New quote', path: officePaths.officeNewQuote({ customer: id }), group: 'Sell', whyNot: null }]
        : []),
      ...(can('credit.give')
        ? [{ name: 'Give store credit', path: officePaths.officeCustomerCredit(id), group: 'Customer', whyNot: null }]
        : []),
      ...(can('customers.edit') && customer !== null
        ? [{ name: 'Edit contact', path: officePaths.officeCustomerContact(id), group: 'Customer', whyNot: null }]
        : []),
      ...(can('account-types.set') && customer !== null
        ? [{ name: 'Set account type', path: officePaths.officeCustomerType(id), group: 'Customer', whyNot: null }]
        : []),
      ...manage('Merge with another customer', officePaths.officeCustomerMerge(id)),
      ...manage(isBlocked ? 'Unblock' : 'Block orders', officePaths.officeCustomerBlock(id)),
    ],
    [message],
  )
}

/** Returns a customer's name, or a substitute. */
export function nameOf({ customer, accounts: [account] }: Person): string {
  return account?.name ?? customer?.name ?? customer?.email ?? account?.email ?? 'Account without a name'
}

/** What a quote for a customer begins with. The account gives the quote its prices. */
export function quoteContactOf(person: Person): { name: string; email: string; phone: string; account: string } {
  const { customer, accounts } = person
  const account = accounts.find(({ email }) => email !== null)?.email ?? ''
  const phone = customer?.phone ?? null
  return {
    name: customer?.name ?? accounts[0]?.name ?? '',
    email: customer?.email ?? account,
    phone: phone === null ? '' : phoneText(phone),
    account,
  }
}

function searchOf({ emails: [email] }: Person): string | null {
  return email === undefined ? null : officePaths.officeSearch({ q: email })
}

function sinceOf({ customer, accounts: [account] }: Person): string {
  const at = customer?.createdAt ?? account?.createdAt
  return at ? storeDateText(at) : ''
}

function blockOf({ reason, blockedAt, blockedBy }: Block) {
  return { reason, note: `Blocked ${storeDateText(blockedAt)} by ${blockedBy}` }
}

function noteRow({ id, body, author, at }: CustomerNote) {
  return { id, body, by: `${author}, ${storeDateText(at)}` }
}

/** Where a possible duplicate is compared, for those who may merge, or opened. */
function duplicateOf({ id, email, name }: Customer, person: Person, mayMerge: boolean) {
  return {
    id,
    email,
    path: mayMerge ? officePaths.officeCustomerMerge(person.id, { with: id }) : officePaths.officeCustomer(id),
    label: mayMerge ? 'Compare and merge' : `Open ${name ?? email}`,
  }
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

function companyRow({ company, role }: Membership, isLinked: boolean) {
  return {
    name: company.name,
    path: isLinked ? officePaths.officeCompany(company.id) : null,
    note: [capital(role), company.terms ? `net ${company.terms.netDays}` : 'pays when ordering'].join(' · '),
  }
}

function factsOf(
  summary: OrderSummary | undefined,
  { credit, last }: { credit: string; last: { time: string; note: string } | null },
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
    { label: 'Store credit', value: credit, meta: 'no end date' },
    ...(last ? [{ label: 'Last contact', value: last.time, meta: last.note }] : []),
  ]
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

function contactOf({ customer, accounts, emails }: Person) {
  const isVerified = (email: string) => accounts.some((account) => account.email === email && account.emailVerifiedAt)
  const shown = customer ? emails : accounts.flatMap(({ email }) => (email === null ? [] : [email]))
  const plain = { href: null, note: null }
  return [
    ...(customer?.phone
      ? [{ label: 'Phone', value: phoneText(customer.phone), href: `tel:${dialed(customer.phone)}`, note: null }]
      : []),
    ...shown.map((email) => ({
      label: 'Email',
      value: email,
      href: `mailto:${encodeURI(email)}`,
      note: isVerified(email) ? 'Confirmed' : 'Not confirmed',
    })),
    ...(customer?.zip ? [{ ...plain, label: 'Place', value: `${placeOf(customer) ?? ''} ${customer.zip}` }] : []),
    { ...plain, label: 'Sign-in', value: signInText(accounts.length) },
  ]
}

/** A stored phone with its country code. */
function dialed(phone: string): string {
  return phone.startsWith('+') ? phone : `+1${phone}`
}

/** Two customers side by side, before they are merged. */
export async function comparePeople(
  { db, clock }: Application,
  people: readonly [Person, Person],
): Promise<{ label: string; one: string; other: string }[]> {
  const summaries = await summarizeOrders(
    db,
    people.map(({ ordering }) => ordering),
    clock.now(),
  )
  const [one, other] = people.map((person, index) => comparedOf(person, summaries[index]))
  return Object.keys(one ?? {}).map((label) => ({ label, one: one?.[label] ?? '', other: other?.[label] ?? '' }))
}

function comparedOf(person: Person, summary: OrderSummary | undefined): Record<string, string> {
  const { customer, accounts, emails } = person
  const { orders = 0, spentCents = 0, last = null } = summary ?? {}
  return {
    Name: nameOf(person),
    Email: emails.join(', '),
    Phone: (customer?.phone && phoneText(customer.phone)) || 'None',
    Place: (customer && placeOf(customer)) ?? 'None',
    'Sign-in': signInText(accounts.length),
    Orders: countText(orders),
    Spent: formatCents(spentCents),
    'Last order': last ? `${orderNumber(last.id)}, ${storeDateText(last.placedAt)}` : 'None',
    Vehicle: last?.vehicle ?? 'None',
    Since: sinceOf(person),
  }
}

function signInText(accounts: number): string {
  return accounts === 0 ? 'Guest, no account' : countOf(accounts, 'account')
}
