import type { ReactNode } from 'react'
import type { MoneyView } from '#app/views/checkout.server.ts'
import { OrderSummary } from '#app/ui/order-summary.tsx'
import { SummaryTires } from '#app/ui/summary-tires.tsx'

/** Renders notes about items that a cart change also removed. */
export function Dropped({ notes }: { notes: readonly string[] }) {
  return notes.length === 0 ? null : (
    <div className="notice small" role="status">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}

/** Renders the price next to each checkout step. The price changes only with a stated reason. */
export function SideSummary({
  money,
  notes = money.notes,
  children,
}: {
  money: MoneyView
  /** The notes about offers that don't apply. Defaults to all; pages that show some themselves pass the rest. */
  notes?: readonly string[]
  children?: ReactNode
}) {
  return (
    <aside className="panel side-summary" aria-label="Order summary">
      <h2>{money.estimateAt ? `Estimate at ${money.estimateAt}` : 'What you pay'}</h2>
      <SummaryTires tires={money.tires} />
      <Dropped notes={money.dropped} />
      {money.moves.length > 0 ? (
        <div className="notice small" role="status">
          <p className="strong">What changed</p>
          <ul>
            {money.moves.map((move) => (
              <li key={move}>{move}</li>
            ))}
          </ul>
        </div>
      ) : null}
      {money.problems.map((problem) => (
        <p key={problem} className="error-summary small">
          {problem}
        </p>
      ))}
      {notes.map((note) => (
        <p key={note} className="notice small">
          {note}
        </p>
      ))}
      {money.rows.length > 0 ? <OrderSummary rows={money.rows} caption="What you pay" /> : null}
      {money.shopName && !money.estimateAt ? (
        <p className="why small">
          <b>Due at the shop: $0.00.</b> The total changes only if you pick another shop.
        </p>
      ) : null}
      {money.isService ? null : (
        <p className="small">
          <a href="/shipping-cost" data-interaction="modal">
            What shipping costs
          </a>
        </p>
      )}
      {children}
    </aside>
  )
}
