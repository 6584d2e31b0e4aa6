import type { ReactNode } from 'react'
import type { OrderCard } from './order-card.ts'
import { OrderLine } from './order-line.tsx'

type OrderListProps = {
  orders: OrderCard[]
  /** The page with those before; null when there are none. */
  older: string | null
  /** In the list of a company each order says who placed it. */
  isShared?: boolean
  /** What is said when there is no order. */
  children: ReactNode
}

/** Orders, the newest first, and the way to the older ones. */
export function OrderList({ orders, older, isShared = false, children }: OrderListProps) {
  return (
    <>
      {orders.length === 0 ? (
        children
      ) : (
        <ul className="account-list">
          {orders.map((order) => (
            <li key={order.id} className="panel padded">
              <OrderLine order={order} isShared={isShared} />
            </li>
          ))}
        </ul>
      )}
      {older ? (
        <p>
          <a className="btn" href={older}>
            Older orders
          </a>
        </p>
      ) : null}
    </>
  )
}
