/** Account orders, including guest orders placed with the account's verified email. */
import { companyRoleFor, ownsOrder, selectOrders, type OrderInList } from './account-orders.sql.server.ts'
import type { Database } from '#platform/db.ts'

export const ordersPerPage = 20

type OrderPage = { orders: OrderInList[]; hasMore: boolean }

/**
 * Lists the orders of an account, newest first; `before` is the id of the last order on the previous page. Reads at
 * most one more than a page.
 */
export function listAccountOrders({ db }: { db: Database }, accountId: string, before?: number): Promise<OrderPage> {
  return listOrders(db, { accountId, companyId: null }, before)
}

/** Lists a page of a company's orders, either all of them or one member's. */
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
 * Returns an account's permission for an order. `own` allows everything; `read` allows only viewing, for viewers in the
 * order's company.
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
