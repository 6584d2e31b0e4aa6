import { useState } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import type { CartPaymentMethod } from '#domain/payments/cart/cart.ts'

/** A way to pay, and what it means for this order. */
export type WayToPay = {
  type: CartPaymentMethod
  name: string
  detail: string
  group: 'device' | 'now' | 'over-time' | 'company'
  /** What is paid first, and how often: "$191.55", "today". */
  amount: string
  often: string
  /** The payments one by one, the total last; empty if it is paid once. */
  rows: { label: string; amount: string }[]
  note: string | null
  /** Why it cannot be chosen now; null if it can. */
  off: string | null
  /** The button label when the method is selected. */
  button: string
}

const groups = [
  { group: 'now', title: 'Pay now' },
  { group: 'over-time', title: 'Pay over time' },
  { group: 'company', title: 'For your company' },
] as const

/**
 * Groups the payment methods as radio buttons and selects `wanted` or the first available one. Without JavaScript, all
 * methods share one button label. Device wallets have their own button instead of a radio button.
 */
export function useWays(ways: readonly WayToPay[], wanted: string) {
  const open = ways.filter(({ off, group }) => off === null && group !== 'device')
  const first = open.find(({ type }) => type === wanted) ?? open[0]
  const [picked, setPicked] = useState<string | null>(null)
  return {
    chosen: first?.type ?? 'card',
    pick: setPicked,
    button: open.find(({ type }) => type === picked)?.button ?? 'Continue',
  }
}

export function Ways({
  ways,
  chosen,
  onPick,
}: {
  ways: readonly WayToPay[]
  chosen: string
  onPick: (type: string) => void
}) {
  const shown = groups
    .map(({ group, title }) => ({ group, title, members: ways.filter((way) => way.group === group) }))
    .filter(({ members }) => members.length > 0)
  const firstType = shown[0]?.members[0]?.type
  return (
    <fieldset className="pay-ways">
      <legend>Pay with</legend>
      {shown.map(({ group, title, members }) => (
        <div key={group} className="pay-way-group" role="group" aria-labelledby={`ways-${group}`}>
          <h2 id={`ways-${group}`}>{title}</h2>
          {members.map((way) => (
            <Way
              key={way.type}
              way={way}
              id={way.type === firstType ? 'method' : `way-${way.type}`}
              isChosen={way.type === chosen}
              onPick={onPick}
            />
          ))}
        </div>
      ))}
    </fieldset>
  )
}

function Way({
  way: { type, name, detail, amount, often, rows, note, off },
  id,
  isChosen,
  onPick,
}: {
  way: WayToPay
  id: string
  isChosen: boolean
  onPick: (type: string) => void
}) {
  return (
    <div className={off === null ? 'pay-way' : 'pay-way is-off'}>
      <input
        type="radio"
        name="method"
        value={type}
        id={id}
        defaultChecked={isChosen && off === null}
        disabled={off !== null}
        onChange={() => onPick(type)}
        aria-describedby={off === null ? undefined : `${id}-off`}
      />
      <label htmlFor={id}>
        <span>
          <b>{name}</b>
          <span className="small muted">{detail}</span>
        </span>
        <span className="pay-way-amount tabular">
          <b>{amount}</b>
          <span className="tiny muted">{often}</span>
        </span>
      </label>
      {off === null ? null : (
        <p className="pay-way-off small" id={`${id}-off`}>
          <Icon name="warning" size="s" />
          <span>{off}</span>
        </p>
      )}
      {off === null && (rows.length > 0 || note) ? (
        <div className="pay-way-more">
          {rows.length > 0 ? (
            <dl className="pay-way-plan tabular">
              {rows.map((row) => (
                <div key={row.label}>
                  <dt>{row.label}</dt>
                  <dd>{row.amount}</dd>
                </div>
              ))}
            </dl>
          ) : null}
          {note ? <p className="small muted">{note}</p> : null}
        </div>
      ) : null}
    </div>
  )
}
