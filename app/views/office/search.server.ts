/** What the search of the back office finds, in groups that the reader's roles may see. */
import { officePaths } from '#content/office-paths.ts'
import { findAccounts } from '#domain/customers/accounts/accounts.server.ts'
import { findItems, findModels } from '#domain/catalog/catalog/catalog.server.ts'
import { kindNames } from '#domain/customers/companies/companies.ts'
import { findCompanies } from '#domain/customers/companies/companies.server.ts'
import { findCustomers, findPastOrders } from '#domain/customers/customers/customers.server.ts'
import { findOfficeShops } from '#domain/scheduling/installers/installers.server.ts'
import { orderStatus } from '#domain/ordering/orders/orders.ts'
import { searchOrders } from '#domain/ordering/orders/orders.server.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { findJobOrders } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import { formatCents } from '#platform/money.ts'
import { match, matchOf, readSearchText, type Match, type SearchText } from '#platform/search-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'
import { allowedFor } from './shop-status.server.ts'
import { customerFieldsFor, type CustomerFields } from '#app/views/customer-fields.server.ts'
import { findNumbered } from './numbers.server.ts'
import { readOfficeOrder } from './order.server.ts'
import { orderRow, tagOf } from './orders.server.ts'

/** A search result line. `path` is null if this role has no page for it. */
export type FoundLine = { key: string; title: string; path: string | null; notes: string[]; match: Match }
/** `isCut`: there are further lines. `more` opens the search page with more of this group; null if that has no more. */
export type FoundGroup = {
  id: GroupId
  title: string
  lines: FoundLine[]
  isCut: boolean
  more: { title: string; path: string } | null
}

/** A search query, with the typed text, and its possible meanings. */
type Query = SearchText & { limit: number }
type Reader = { roles: readonly StaffRole[]; customers: CustomerFields }
type Search = {
  title: string
  permission: Permission
  find(app: Application, query: Query, reader: Reader): Promise<FoundLine[]>
}

export const longestSearch = 100
/** The search page shows this many lines of each group, and more of a single one. */
const perGroup = 20
const perOnlyGroup = 50
/** Shorter text matches too much to be of use. */
const minLength = 2

/** Add a group here, with its permission and an indexed query. Groups with equal matches keep this order. */
const searches = {
  orders: { title: 'Orders', permission: 'orders.read', find: findOrders },
  numbers: {
    title: 'Returns, quotes and other numbers',
    permission: 'office.open',
    find: (app, { text }, { roles }) => findNumbered(app, text, roles),
  },
  customers: { title: 'Customers', permission: 'customers.read', find: longEnough(findCustomerLines) },
  'past-orders': { title: 'Imported orders', permission: 'customers.read', find: longEnough(findPastOrderLines) },
  companies: { title: 'Companies', permission: 'companies.read', find: longEnough(findCompanyLines) },
  shops: { title: 'Shops', permission: 'office.open', find: longEnough(findShops) },
  models: { title: 'Tire models', permission: 'office.open', find: longEnough(findModelLines) },
  tires: { title: 'Tires', permission: 'office.open', find: longEnough(findTires) },
} as const satisfies Readonly<Record<string, Search>>

type GroupId = keyof typeof searches
const groupIds = Object.keys(searches) as GroupId[]

/** Staff without customer access find orders only by order number, SKU and DOT number, and don't see customer data. */
async function findOrders(app: Application, { text, limit }: Query, { customers }: Reader): Promise<FoundLine[]> {
  const now = app.clock.now()
  const byCustomer = customers.isShown
  const found = await searchOrders(app, text, {
    byCustomer,
    limit,
    jobOrders: await findJobOrders(app, text, { byVin: byCustomer }),
  })
  return found.map((order) => {
    const { id, number, path, company, age, shop: place, time, total } = orderRow(order, { now, customers })
    const buyer = [company ?? order.customer, total, order.email, phoneText(order.phone)]
    const [name, ...ofCustomer] = byCustomer ? buyer : []
    return {
      key: String(id),
      title: [number, name].filter(Boolean).join(' · '),
      path,
      notes: [
        time === null ? place : `${time} at ${place}`,
        tagOf(orderStatus(order, now)).words,
        ...ofCustomer.slice(0, 1),
        `${age} ago`,
        ...ofCustomer.slice(1),
      ].filter((note) => note !== undefined),
      match: order.match,
    }
  })
}

/** Finds customers, and accounts that aren't customers because their email is unverified. */
async function findCustomerLines(app: Application, query: Query): Promise<FoundLine[]> {
  const { text, limit } = query
  const [customers, accounts] = await Promise.all([findCustomers(app, text, limit), findAccounts(app, text, limit)])
  const known = new Set(customers.flatMap(({ emails }) => emails))
  const others = accounts.filter(({ email, emailVerifiedAt }) => emailVerifiedAt === null || !known.has(email ?? ''))
  return [
    ...customers.map(({ id, name, email, phone, zip, createdAt }) => ({
      key: id,
      title: name ?? email,
      path: officePaths.officeCustomer(id),
      notes: [email, ...(phone === null ? [] : [phoneText(phone)]), `since ${storeDateText(createdAt)}`],
      match: matchOf(query, [email, name, phone, zip], otherwiseOf(query)),
    })),
    ...others.map(({ id, name, email, emailVerifiedAt, createdAt }) => ({
      key: id,
      title: name ?? email ?? 'Account without a name',
      path: officePaths.officeCustomer(id),
      notes: [
        ...(email === null ? [] : [email, emailVerifiedAt === null ? 'email not verified' : '']).filter(Boolean),
        `since ${storeDateText(createdAt)}`,
      ],
      match: matchOf(query, [email, name], otherwiseOf(query)),
    })),
  ]
}

/** Imported orders are shown on their customer's page. Those without a customer have no page. */
async function findPastOrderLines(app: Application, query: Query): Promise<FoundLine[]> {
  const found = await findPastOrders(app, query.text, query.limit)
  return found.map(({ id, store, number, placedAt, name, email, phone, totalCents, customerId }) => ({
    key: String(id),
    title: [number, name].filter(Boolean).join(' · '),
    path: customerId === null ? null : officePaths.officeCustomer(customerId),
    notes: [
      `${storeDateText(placedAt)}, ${store}`,
      formatCents(totalCents),
      ...(email === null ? [] : [email]),
      ...(phone === null ? [] : [phoneText(phone)]),
    ],
    match: matchOf(query, [number, number.replace(/^#/, ''), email, phone], match.edge),
  }))
}

async function findCompanyLines(app: Application, query: Query): Promise<FoundLine[]> {
  const found = await findCompanies(app, query.text, query.limit)
  return found.map(({ id, name, kind, phone }) => ({
    key: id,
    title: name,
    path: officePaths.officeCompany(id),
    notes: [kindNames[kind], phoneText(phone)],
    match: matchOf(query, [name, phone], match.typo),
  }))
}

async function findShops(app: Application, query: Query): Promise<FoundLine[]> {
  const found = await findOfficeShops(app, query.text, query.limit)
  return found.map(({ id, code, name, city, state, zip, phone }) => ({
    key: String(id),
    title: name,
    path: officePaths.officeShop(code),
    notes: [code, `${city}, ${state}`],
    match: matchOf(query, [name, code, zip, phone, `${name} ${city}`], match.typo),
  }))
}

async function findModelLines(app: Application, query: Query, { roles }: Reader): Promise<FoundLine[]> {
  const found = await findModels(app, query.text, query.limit)
  return found.map(({ id, name, tires }) => ({
    key: String(id),
    title: name,
    path: modelPath(roles, { id, name }),
    notes: [countOf(tires, 'tire')],
    match: matchOf(query, [name], match.typo),
  }))
}

async function findTires(app: Application, query: Query, { roles }: Reader): Promise<FoundLine[]> {
  const found = await findItems(app, query.text, query.limit)
  return found.map(({ id, sku, name }) => ({
    key: String(id),
    title: sku,
    path: itemPath(roles, id),
    notes: [name],
    match: matchOf(query, [sku, name], match.part),
  }))
}

/**
 * Returns the match quality of people without the text in their own fields, which match by phone, ZIP code, or a typo.
 */
function otherwiseOf({ phone, zip }: SearchText): Match {
  return phone === undefined && zip === undefined ? match.typo : match.edge
}

function longEnough(find: Search['find']): Search['find'] {
  return async (app, query, reader) => (query.text.length < minLength ? [] : find(app, query, reader))
}

/**
 * Returns a model's page for these roles. Links to the catalog page, or else to its tires in stock; null without access
 * to either.
 */
function modelPath(roles: readonly StaffRole[], { id, name }: { id: number; name: string }): string | null {
  if (staffCan(roles, 'catalog.read')) return officePaths.officeLine(id)
  return staffCan(roles, 'stock.read') ? officePaths.officeStock({ q: name }) : null
}

/**
 * Returns a tire's page for these roles. Links to its stock, or else to the catalog page; null without access to
 * either.
 */
function itemPath(roles: readonly StaffRole[], id: number): string | null {
  if (staffCan(roles, 'stock.read')) return officePaths.officeStockItem(id)
  return staffCan(roles, 'catalog.read') ? officePaths.officeItem(id) : null
}

/** Parses the search parameters; longer text is truncated. `kind` limits the results to one group; null for all. */
export function readSearch(query: URLSearchParams): { text: string; kind: GroupId | null } {
  const text = (query.get('q') ?? '')
    .slice(0, 10 * longestSearch)
    .replaceAll('\0', '')
    .replaceAll(/\s+/g, ' ')
  return {
    text: text.trim().slice(0, longestSearch),
    kind: groupIds.find((id) => id === query.get('kind')) ?? null,
  }
}

/**
 * Finds `text` in every group visible to these roles, or only in `kind`. The group with the best match is first, and
 * empty groups are omitted. A group has at most `limit` lines, by default 20, or 50 for a single group.
 */
export async function searchOffice(
  app: Application,
  roles: readonly StaffRole[],
  { text, kind = null, limit = kind === null ? perGroup : perOnlyGroup }: OfficeQuery,
): Promise<FoundGroup[]> {
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  const reader = { roles, customers: customerFieldsFor(roles) }
  const query = { ...readSearchText(text), limit: limit + 1 }
  const mine = groupIds.filter((id) => (kind === null || id === kind) && staffCan(roles, searches[id].permission))
  const groups = await Promise.all(
    mine.map(async (id) => groupOf(id, await searches[id].find(app, query, reader), { text, limit })),
  )
  const best = (group: FoundGroup) => Math.min(...group.lines.map((line) => line.match))
  return groups.filter(({ lines }) => lines.length > 0).toSorted((one, other) => best(one) - best(other))
}

type OfficeQuery = { text: string; kind?: GroupId | null; limit?: number }

function groupOf(id: GroupId, found: FoundLine[], { text, limit }: { text: string; limit: number }): FoundGroup {
  const { title } = searches[id]
  const lines = found.toSorted((one, other) => one.match - other.match)
  return {
    id,
    title,
    lines: lines.slice(0, limit),
    isCut: lines.length > limit,
    more:
      lines.length > limit && limit < perOnlyGroup
        ? { title: `All ${title.toLowerCase()} with “${text}”`, path: officePaths.officeSearch({ q: text, kind: id }) }
        : null,
  }
}

/** Returns the page of the only exact result; otherwise null. Similar results are listed instead. */
export function onlyPage(groups: readonly FoundGroup[]): string | null {
  const [line, ...more] = groups.flatMap(({ lines }) => lines)
  return line && more.length === 0 && line.match !== match.typo ? line.path : null
}

/** A line of the palette. */
export type PaletteLine = { key: string; title: string; path: string; notes: string }
type PaletteGroup = Pick<FoundGroup, 'id' | 'title' | 'more'> & { lines: PaletteLine[] }
export type PaletteAnswer = {
  groups: PaletteGroup[]
  pages: PaletteLine[]
  found: (PaletteLine & { group: string })[]
  acts: PaletteLine[]
}

/** Returns the answer to `/office/search/found`, with pages and actions of the record that was found. */
export function paletteOf(
  found: readonly FoundGroup[],
  { pages, acts }: Pick<PaletteAnswer, 'pages' | 'acts'>,
): PaletteAnswer {
  const groups = found
    .map(({ id, title, lines, more }) => ({
      id,
      title,
      lines: lines.flatMap(({ key, title: name, path, notes }) =>
        path === null ? [] : [{ key: `${id} ${key}`, title: name, path, notes: notes.slice(0, 3).join(' · ') }],
      ),
      more,
    }))
    .filter(({ lines }) => lines.length > 0)
  const lines = groups.flatMap((group) => group.lines.map((line) => ({ ...line, group: group.title })))
  return { groups, found: lines, pages, acts }
}

/** The most actions of an order in the palette. */
const mostActs = 4

/** Returns pages and actions of the best match, if that is one shop or order. */
export async function readPaletteActs(
  app: Application,
  reader: { roles: readonly StaffRole[]; email: string },
  found: readonly FoundGroup[],
): Promise<Pick<PaletteAnswer, 'pages' | 'acts'>> {
  const shop = found[0]?.id === 'shops' ? await readShopActs(app, reader.roles, found[0]) : null
  return shop ?? { pages: [], acts: await readOrderActs(app, reader, found) }
}

/** Returns a found shop’s appointments, and the panel that pauses or closes it; null if several shops match. */
async function readShopActs(
  app: Application,
  roles: readonly StaffRole[],
  { lines: [line, other] }: FoundGroup,
): Promise<Pick<PaletteAnswer, 'pages' | 'acts'> | null> {
  const code = line?.notes[0]
  if (!line || code === undefined || other?.match === line.match) return null
  const record = await findShopRecord(app, code)
  const to = record && allowedFor(roles, record)[0]
  const entry = (title: string, path: string) => ({ key: path, title, path, notes: '' })
  return {
    pages: staffCan(roles, 'orders.read')
      ? [entry(`Appointments at ${line.title}`, officePaths.officeAppointments({ shop: line.title }))]
      : [],
    acts: to ? [entry(`Pause or close ${line.title}…`, officePaths.officeShop(code, { to }))] : [],
  }
}

/**
 * Returns actions on a found order for this reader, with the next step first, then those with a shortcut. The list is
 * empty if several orders match equally.
 */
async function readOrderActs(
  app: Application,
  reader: { roles: readonly StaffRole[]; email: string },
  found: readonly FoundGroup[],
): Promise<PaletteLine[]> {
  const [line, other] = found.find(({ id }) => id === 'orders')?.lines ?? []
  if (!line || (other && (line.match !== match.whole || other.match === match.whole))) return []
  const order = await readOfficeOrder(app, Number(line.key), reader, { view: null, open: null })
  if (!order) return []
  const { primary, groups } = order.view.actions
  const rest = groups.flatMap(({ actions }) => actions)
  const acts = [
    ...(primary ? [primary] : []),
    ...rest.filter(({ hotkey }) => hotkey),
    ...rest.filter((act) => !act.hotkey),
  ]
  return acts.slice(0, mostActs).map(({ name, path }) => ({ key: path, title: `${name}…`, path, notes: line.title }))
}
