/**
 * What staff can do to an order on its page. An act is offered to those with its permission, and refused in words where
 * the order does not allow it; the use case behind it decides again.
 */
import type { OrderActLink } from '#app/views/office-order-acts.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/staff/staff.ts'

/** What an act looks at to say whether it is possible. */
export type ActFacts = {
  orderId: number
  /** Why no refund can be made; null where it can. */
  noRefund: string | null
  leftCents: number
}

export type OrderActName = 'refund' | 'note' | 'vin'

export type OrderAct = {
  name: OrderActName
  label: string
  /** The key for the page's script; without script it does nothing. */
  hotkey: string
  permission: Permission
  /** Why the order does not allow it now, in a sentence; null where it does. */
  whyNot(facts: ActFacts): string | null
}

/** Every act, in the order in which they are offered. */
export const orderActs: readonly OrderAct[] = [
  {
    name: 'refund',
    label: 'Refund',
    hotkey: 'f',
    permission: 'refunds.make',
    whyNot: ({ noRefund, leftCents }) => noRefund ?? (leftCents === 0 ? 'Everything was refunded.' : null),
  },
  { name: 'note', label: 'Add note', hotkey: 'n', permission: 'orders.note', whyNot: () => null },
  { name: 'vin', label: 'Record VIN', hotkey: 'v', permission: 'orders.note', whyNot: () => null },
]

/**
 * The acts of this order for these roles: those that are possible, and the others with the reason. `others` have pages of
 * their own.
 */
export function actsFor(
  roles: readonly StaffRole[],
  facts: ActFacts,
  { open, others }: { open: OrderActName | null; others: readonly OrderActLink[] },
): {
  possible: { label: string; path: string; hotkey?: string; isOn: boolean }[]
  refused: { act: string; why: string }[]
} {
  const decided = orderActs.map((act) => ({
    act,
    why: staffCan(roles, act.permission) ? act.whyNot(facts) : 'Your role does not include it.',
  }))
  return {
    possible: [
      ...decided
        .filter(({ why }) => why === null)
        .map(({ act: { name, label, hotkey } }) => ({
          label,
          path: `${officePaths.officeOrder(facts.orderId, { act: name })}#${name}`,
          hotkey,
          isOn: name === open,
        })),
      ...others.filter(({ whyNot }) => whyNot === null).map(({ name, path }) => ({ label: name, path, isOn: false })),
    ],
    refused: [
      ...decided.flatMap(({ act, why }) => (why === null ? [] : [{ act: act.label, why }])),
      ...others.flatMap(({ name, whyNot }) => (whyNot === null ? [] : [{ act: name, why: whyNot }])),
    ],
  }
}

/** The act that the address opens; null for none. */
export function openAct(asked: string | null): OrderActName | null {
  return orderActs.find(({ name }) => name === asked)?.name ?? null
}
