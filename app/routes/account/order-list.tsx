import type { ReactNode } from 'react'
import type { OrderCard } from './order-card.ts'
import { OrderLine } from './order-line.tsx'

type OrderListProps = {
  orders: OrderCard[]
  /** The link to older orders, or null if there aren't any. */
  older: string | null
  /** In a company's list, each order shows who placed it. */
  isShared?: boolean
  /** Shown if there are no orders. */
  children: ReactNode
}

/** Orders, newest first, and a link to older ones. */
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
