import { orderIdOf } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { orderCard } from './order-card.ts'
import { OrderList } from './order-list.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { companyCan } from '#domain/customers/companies/companies.ts'
import { listCompanyOrders, withPackets } from '#domain/ordering/orders/orders.server.ts'
import { CompanyPage } from './company-page.tsx'
import { requireCompany } from './require-company.server.ts'
import type { Route } from './+types/company-orders.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Orders of your company',
    description: 'All orders placed for your company.',
    path: paths.companyOrders(),
    isIndexed: false,
  })

/** Owners and viewers see every order of the company, buyers only their own. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, company, role, signedIn } = await requireCompany(context, paths.companyOrders())
  const seesAll = companyCan(role, 'see-all-orders')
  const before = orderIdOf(url.searchParams.get('before')) || undefined
  const { orders, hasMore } = await listCompanyOrders(
    app,
    { companyId: company.id, accountId: seesAll ? null : signedIn.accountId },
    before,
  )
  const now = app.clock.now()
  const packets = await withPackets(
    app.db,
    orders.map(({ id }) => id),
  )
  return {
    name: company.name,
    seesAll,
    orders: orders.map((order) => {
      const packetHref = packets.has(order.id) ? serverPaths.fleetOrder(order.id) : null
      const card = { ...orderCard(order, now), packetHref }
      return role === 'viewer' ? { ...card, cancelHref: null } : card
    }),
    older: hasMore ? paths.companyOrders(orders.at(-1)?.id) : null,
  }
}

export default function CompanyOrders({ loaderData: { name, seesAll, orders, older } }: Route.ComponentProps) {
  return (
    <CompanyPage name={name} at="orders">
      <OrderList orders={orders} older={older} isShared={seesAll}>
        <p className="muted">
          {seesAll ? 'No orders for your company yet.' : 'You have not ordered for your company yet.'}
        </p>
      </OrderList>
    </CompanyPage>
  )
}
