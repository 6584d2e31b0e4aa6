/** What the search box of the back office finds, in groups that the reader's roles may see. */
import { officePaths } from '#content/office-paths.ts'
import { findAccounts } from '#domain/accounts/accounts.server.ts'
import { findItems, findModels } from '#domain/catalog/catalog.server.ts'
import { kindNames } from '#domain/companies/companies.ts'
import { findCompanies } from '#domain/companies/companies.server.ts'
import { findOfficeShops } from '#domain/installers/installers.server.ts'
import { orderStatus } from '#domain/orders/orders.ts'
import { searchOrders } from '#domain/orders/orders.server.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/staff/staff.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Shop } from '#shop'
import { customerFieldsFor, type CustomerFields } from './customer-fields.server.ts'
import { findNumbered } from './office-numbers.server.ts'
import { orderRow, tagOf } from './office-orders.server.ts'

/** A line of what was found. `path` is null where no page about it is open to this role. */
export type FoundLine = { key: string; title: string; path: string | null; notes: string[] }
export type FoundGroup = { id: string; title: string; lines: FoundLine[] }

type Search = {
  id: string
  title: string
  permission: Permission
  find(
    shop: Shop,
    text: string,
    reader: { roles: readonly StaffRole[]; customers: CustomerFields },
  ): Promise<FoundLine[]>
}

export const longestSearch = 100
const perGroup = 20
/** Shorter beginnings match too much to be of use. */
const leastLetters = 2

/** Add a group here: who may see it, and how it is found by an index. */
const searches: readonly Search[] = [
  {
    id: 'orders',
    title: 'Orders',
    permission: 'orders.read',
    find: async (shop, text, { customers }) => {
      const now = shop.clock.now()
      const found = await searchOrders(shop, text, { byCustomer: customers.isShown })
      return found.map((order) => {
        const { id, number, path, customer, company, age, shop: place, total } = orderRow(order, { now, customers })
        const state = tagOf(orderStatus(order, now)).words
        return {
          key: String(id),
          title: [number, company ?? (customers.isShown ? customer : null)].filter(Boolean).join(', '),
          path,
          notes: [
            state,
            total,
            place,
            `${age} ago`,
            ...(customers.isShown ? [order.email, phoneText(order.phone)] : []),
          ],
        }
      })
    },
  },
  {
    id: 'numbers',
    title: 'Returns, quotes and other numbers',
    permission: 'office.open',
    find: (shop, text, { roles }) => findNumbered(shop, text, roles),
  },
  {
    id: 'customers',
    title: 'Customer accounts',
    permission: 'customers.read',
    find: (shop, text) =>
      longEnough(text, async () =>
        (await findAccounts(shop, text, perGroup)).map(({ id, name, email, emailVerifiedAt, createdAt }) => ({
          key: id,
          title: name ?? email ?? 'Account without a name',
          path: officePaths.officeCustomer(id),
          notes: [
            ...(email === null ? [] : [email, emailVerifiedAt === null ? 'email not verified' : '']).filter(Boolean),
            `since ${storeDateText(createdAt)}`,
          ],
        })),
      ),
  },
  {
    id: 'companies',
    title: 'Companies',
    permission: 'companies.read',
    find: (shop, text) =>
      longEnough(text, async () =>
        (await findCompanies(shop, text, perGroup)).map(({ id, name, kind, phone }) => ({
          key: id,
          title: name,
          path: officePaths.officeCompany(id),
          notes: [kindNames[kind], phoneText(phone)],
        })),
      ),
  },
  {
    id: 'models',
    title: 'Tire models',
    permission: 'office.open',
    find: (shop, text, { roles }) =>
      longEnough(text, async () =>
        (await findModels(shop, text, perGroup)).map(({ id, name, tires }) => ({
          key: String(id),
          title: name,
          path: modelPath(roles, { id, name }),
          notes: [countOf(tires, 'tire')],
        })),
      ),
  },
  {
    id: 'tires',
    title: 'Tires',
    permission: 'office.open',
    find: (shop, text, { roles }) =>
      longEnough(text, async () =>
        (await findItems(shop, text, perGroup)).map(({ id, sku, name }) => ({
          key: String(id),
          title: sku,
          path: itemPath(roles, id),
          notes: [name],
        })),
      ),
  },
  {
    id: 'shops',
    title: 'Shops',
    permission: 'office.open',
    find: (shop, text) =>
      longEnough(text, async () =>
        (await findOfficeShops(shop, text, perGroup)).map(({ id, code, name, city, state, phone }) => ({
          key: String(id),
          title: name,
          path: officePaths.officeShop(code),
          notes: [`${city}, ${state}`, phoneText(phone)],
        })),
      ),
  },
]

/** The page about a model that these roles open: its catalog page, else its tires in stock; null for neither. */
function modelPath(roles: readonly StaffRole[], { id, name }: { id: number; name: string }): string | null {
  if (staffCan(roles, 'catalog.read')) return officePaths.officeLine(id)
  return staffCan(roles, 'stock.read') ? officePaths.officeStock({ q: name }) : null
}

/** The page about a tire that these roles open: its stock, else its catalog page; null for neither. */
function itemPath(roles: readonly StaffRole[], id: number): string | null {
  if (staffCan(roles, 'stock.read')) return officePaths.officeStockItem(id)
  return staffCan(roles, 'catalog.read') ? officePaths.officeItem(id) : null
}

/** Reads what is searched for; longer text is cut. */
export function readSearch(query: URLSearchParams): string {
  return (query.get('q') ?? '').replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim().slice(0, longestSearch)
}

/** Finds `text` in every group that these roles may see; groups without a match are left out. */
export async function searchOffice(shop: Shop, roles: readonly StaffRole[], text: string): Promise<FoundGroup[]> {
  if (text === '') return []
  const customers = customerFieldsFor(roles)
  const mine = searches.filter(({ permission }) => staffCan(roles, permission))
  const groups = await Promise.all(
    mine.map(async ({ id, title, find }) => ({ id, title, lines: await find(shop, text, { roles, customers }) })),
  )
  return groups.filter(({ lines }) => lines.length > 0)
}

/** The page of what was found, if it is one thing and nothing else. */
export function onlyPage(groups: readonly FoundGroup[]): string | null {
  const [line, ...more] = groups.flatMap(({ lines }) => lines)
  return more.length === 0 ? (line?.path ?? null) : null
}

/** A line of the list under the search box. */
export type FoundSuggestion = { key: string; group: string; title: string; path: string; notes: string }

/** The first `most` lines, taken from the groups in turns so that each is there, and listed by group. */
export function suggestionsOf(groups: readonly FoundGroup[], most: number): FoundSuggestion[] {
  const inTurns = groups.flatMap(({ lines }, group) => lines.map((_, turn) => ({ group, turn })))
  const taken = inTurns.toSorted((a, b) => a.turn - b.turn || a.group - b.group).slice(0, most)
  return groups.flatMap(({ id, title, lines }, group) =>
    lines
      .slice(0, taken.filter((each) => each.group === group).length)
      .flatMap(({ key, title: name, path, notes }) =>
        path === null
          ? []
          : [{ key: `${id} ${key}`, group: title, title: name, path, notes: notes.slice(0, 3).join(' · ') }],
      ),
  )
}

function longEnough<Found>(text: string, find: () => Promise<Found[]>): Promise<Found[]> {
  return text.length < leastLetters ? Promise.resolve([]) : find()
}
