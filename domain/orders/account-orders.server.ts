/**
 * The orders of an account: those placed from its carts. An order made as a guest joins them when its email is one the
 * account has verified.
 */
import { companyRoleFor, ownsOrder, selectOrders, type OrderInList } from '#domain/orders/account-orders.sql.server.ts'
import type { Database } from '#platform/db.ts'

export const ordersPerPage = 20

type OrderPage = { orders: OrderInList[]; hasMore: boolean }

/**
 * The orders of an account. The newest first; `before` is the id of the last one on the page before. One more than a
 * page is never read.
 */
export function listAccountOrders({ db }: { db: Database }, accountId: string, before?: number): Promise<OrderPage> {
  return listOrders(db, { accountId, companyId: null }, before)
}

/** The orders placed for a company, in the same pages: all of them, or those that one of its members placed. */
export function listCompanyOrders(
  { db }: { db: Database },
  { companyId, accountId }: { companyId: string; accountId: string | null },
  before?: number,
): Promise<OrderPage> {
  return listOrders(db, { accountId, companyId }, before)
}

async function listOrders(
  db: Database,
  by: Parameters<typeof selectOrders>[1],
  before: number | undefined,
): Promise<OrderPage> {
  const orders = await selectOrders(db, by, { before, limit: ordersPerPage + 1 })
  return { orders: orders.slice(0, ordersPerPage), hasMore: orders.length > ordersPerPage }
}

/**
 * What an account may do with an order: `own` everything, `read` nothing but see it, as a viewer of the company it was
 * placed for.
 */
export async function orderAccessOf(
  { db }: { db: Database },
  accountId: string,
  orderId: number,
): Promise<'own' | 'read' | undefined> {
  if (await ownsOrder({ db }, accountId, orderId)) return 'own'
  const role = await companyRoleFor({ db }, accountId, orderId)
  return role && (role === 'owner' ? 'own' : 'read')
}
