/** Every office list that is declared; a new one is a file in `lists/` and a line here. */
import type { OfficeListName } from '#domain/staff/staff.ts'
import type { ListDefinition } from './define-list.server.ts'
import { orders } from './lists/orders.server.ts'

const all: readonly ListDefinition[] = [orders]

const byName = new Map(all.map((list) => [list.name, list]))
const byPath = new Map(all.map((list) => [list.path, list]))

/** The list of this name; undefined for any other word, and for those that are part of a page of their own. */
export function listNamed(name: string): ListDefinition | undefined {
  return byName.get(name as OfficeListName)
}

/** The list at this path. Throws for a route that has none. */
export function listAt(path: string): ListDefinition {
  const list = byPath.get(path)
  if (!list) throw new Error(`No office list is at ${path}`)
  return list
}

/** The lists by the pattern of their route, with the parameters that each reads. */
export const declaredLists: readonly ListDefinition[] = all
