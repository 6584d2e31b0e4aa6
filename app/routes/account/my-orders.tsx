import { data } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { readCurrentEmail } from '#domain/customers/accounts/accounts.server.ts'
import { selectPastOrders, type PastOrder } from '#domain/customers/customers/customers.server.ts'
import { claimGuestOrders, countGuestOrders, listAccountOrders } from '#domain/ordering/orders/orders.server.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { AccountPage } from './account-page.tsx'
import { orderCard } from './order-card.ts'
import { OrderList } from './order-list.tsx'
import type { Route } from './+types/my-orders.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your orders',
    description: 'What you ordered, where it is, and what you can do now.',
    path: paths.myOrders(),
    isIndexed: false,
  })

const pastOrdersShown = 50

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { accountId, email, isEmailVerified } = await requireSignedIn(context, paths.myOrders())
  const before = orderIdOf(url.searchParams.get('before')) || undefined
  const isFirstPage = before === undefined
  const [{ orders, hasMore }, unclaimed, pastOrders] = await Promise.all([
    listAccountOrders(app, accountId, before),
    countGuestOrders(app, accountId),
    isFirstPage && isEmailVerified && email ? selectPastOrders(app.db, [email], pastOrdersShown) : [],
  ])
  const now = app.clock.now()
  return {
    orders: orders.map((order) => orderCard(order, now)),
    older: hasMore ? paths.myOrders(orders.at(-1)?.id) : null,
    pastOrders: pastOrders.map(pastOrderView),
    isFirstPage,
    unclaimed,
    email,
    isEmailVerified,
  }
}

function pastOrderView({ id, number, placedAt, totalCents, status, lines }: PastOrder) {
  return {
    id,
    number,
    placed: storeDateText(placedAt),
    total: formatCents(totalCents),
    status: status.replace(/^./, (letter) => letter.toUpperCase()),
    items: lines.map(({ quantity, name }) => `${quantity} × ${name}`),
  }
}

/**
 * Moves guest orders with the verified email into the account. Checks with the provider again whether the email is
 * verified.
 */
export async function action({ context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, paths.myOrders())
  await readCurrentEmail(app, signedIn)
  return data({ claimed: await claimGuestOrders(app, signedIn.accountId) })
}

export default function MyOrders({ loaderData, actionData }: Route.ComponentProps) {
  const { orders, older, pastOrders, isFirstPage, unclaimed, email, isEmailVerified } = loaderData
  return (
    <AccountPage title="Your orders" at="orders">
      {actionData ? <p role="status">{claimedWords(actionData.claimed)}</p> : null}
      {unclaimed > 0 ? (
        <form method="post" className="panel padded stack">
          <p>
            <b>{countOf(unclaimed, 'order')}</b> were placed as a guest with {email}. Would you like them here, too?
          </p>
          <p>
            <button className="btn primary">Add them to my account</button>
          </p>
        </form>
      ) : null}
      {email && !isEmailVerified ? (
        <form method="post" className="panel padded stack">
          <p className="small">
            Orders placed as a guest with {email} can be added here as soon as the email is verified. Open the link in
            the email we sent you, then click this button.
          </p>
          <p>
            <button className="btn">I have verified it</button>
          </p>
        </form>
      ) : null}
      <OrderList orders={orders} older={older}>
        <section className="panel padded stack">
          <h2>{isFirstPage ? 'No order yet' : 'No older orders'}</h2>
          <p className="muted">
            Orders you place while signed in appear here. Find an earlier order by{' '}
            <a href={paths.trackOrder()}>its number and ZIP</a>.
          </p>
        </section>
      </OrderList>
      <PastOrders orders={pastOrders} />
    </AccountPage>
  )
}

/** Orders from the retailer's previous store. They have no page, because this store can't track, cancel, or return them. */
function PastOrders({ orders }: { orders: ReturnType<typeof pastOrderView>[] }) {
  if (orders.length === 0) return null
  return (
    <section aria-labelledby="past-orders">
      <h2 id="past-orders">Orders from our previous store</h2>
      <ul className="account-list">
        {orders.map(({ id, number, placed, total, status, items }) => (
          <li key={id} className="panel padded">
            <article className="order-line">
              <div className="order-line-head">
                <h3 className="tabular">{number}</h3>
                <p className="strong tabular">{total}</p>
              </div>
              <p className="small muted tabular">Placed {placed}</p>
              {status === '' ? null : <p className="strong">{status}</p>}
              <ul className="tabular">
                {items.map((item, index) => (
                  <li key={index}>{item}</li>
                ))}
              </ul>
            </article>
          </li>
        ))}
      </ul>
    </section>
  )
}

function claimedWords(count: number): string {
  if (count === 0) return 'There was no order to add.'
  return pluralForm(count, 'One order is in your account now.', `${count} orders are in your account now.`)
}
