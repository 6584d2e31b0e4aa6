/**
 * Staff actions on an order, including the next step. Actions are shown to staff with the permission, and explained if
 * the order does not allow them; the use case decides again.
 */
import { canUse } from '#app/office/page-parts.ts'
import {
  arrangeActions,
  type DetailAction,
  type DetailActions,
  type OfferedAction,
} from '#app/office/detail-actions.ts'
import type { OfficeIconName } from '#app/ui/office/office-icon.tsx'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { installationState, type StaffOrderAct } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { staffCan, type Permission, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { orderActs } from './order-acts.server.ts'
import { comesLate } from './order-delivery.server.ts'
import type { RefundView } from './order-notices.server.ts'

export type OrderFormName = 'refund' | 'note' | 'vin'

const groups = { delivery: 'Appointment and delivery', money: 'Money', staff: 'Staff' } as const

const forms: Readonly<
  Record<
    OrderFormName,
    { name: string; hotkey: string; icon: OfficeIconName; permission: Permission; group: keyof typeof groups }
  >
> = {
  refund: { name: 'Refund', hotkey: 'f', icon: 'back', permission: 'refunds.make', group: 'money' },
  note: { name: 'Add note', hotkey: 'n', icon: 'note', permission: 'orders.note', group: 'staff' },
  vin: { name: 'Record VIN', hotkey: 'v', icon: 'car', permission: 'orders.note', group: 'staff' },
}

/** The element that a form's link goes to. A text field gets the focus that way, also without script. */
const formTargets: Readonly<Record<OrderFormName, string>> = { refund: 'refund', note: 'body', vin: 'vin' }

const groupOf: Readonly<Record<StaffOrderAct, keyof typeof groups>> = {
  confirm: 'staff',
  question: 'staff',
  'check-fit': 'staff',
  appointment: 'delivery',
  place: 'delivery',
  address: 'delivery',
  cancel: 'money',
  lines: 'money',
  resend: 'staff',
}

const icons: Readonly<Record<StaffOrderAct, OfficeIconName>> = {
  confirm: 'check',
  question: 'question',
  'check-fit': 'car',
  appointment: 'calendar',
  place: 'shop',
  address: 'pin',
  cancel: 'cross',
  lines: 'cross',
  resend: 'email',
}

/** Returns the form opened by the URL, or null. */
export function openForm(asked: string | null): OrderFormName | null {
  return asked !== null && Object.hasOwn(forms, asked) ? (asked as OrderFormName) : null
}

/** Facts that determine the actions, in addition to the order. */
export type ActionFacts = {
  roles: readonly StaffRole[]
  now: Temporal.Instant
  /** The list view the user came from, or null. */
  view: string | null
  open: OrderFormName | null
  /** Why no refund can be made; null where one can. */
  noRefund: string | null
  refunds: readonly RefundView[]
  /** Whether the fraud rules hold the order. */
  isHeld: boolean
  /** Whether the customer is waiting for a reply. */
  isWaiting: boolean
}

/** Returns an order's actions for a role, with the next step first, and the others in a menu. */
export function actionsOf(order: OrderView, facts: ActionFacts): DetailActions {
  const { roles, now, view, open, noRefund } = facts
  const formActions = (Object.keys(forms) as OrderFormName[])
    .filter((form) => staffCan(roles, forms[form].permission))
    .map((form): OfferedAction => ({
      name: forms[form].name,
      path: `${officePaths.officeOrder(order.id, { act: form, view: view ?? undefined })}#${formTargets[form]}`,
      hotkey: forms[form].hotkey,
      icon: forms[form].icon,
      isOpen: form === open,
      group: groups[forms[form].group],
      whyNot: form === 'refund' ? noRefund : null,
    }))
  const pageActions = orderActs(order, roles, now).map(({ key, name, path, whyNot }): OfferedAction => ({
    name,
    path,
    icon: icons[key],
    group: groups[groupOf[key]],
    whyNot,
    ...(key === 'appointment' ? { hotkey: 'r' } : {}),
  }))
  const printed: OfferedAction[] =
    order.shop && canUse(roles, 'work-order')
      ? [
          {
            name: 'Print work order',
            path: paths.workOrder(order.id),
            icon: 'print',
            group: groups.staff,
            whyNot: null,
          },
        ]
      : []
  const returned: OfferedAction[] = staffCan(roles, 'returns.open')
    ? [
        {
          name: 'Open return',
          path: officePaths.officeOpenReturn(order.id),
          icon: 'parcel',
          group: groups.delivery,
          whyNot: order.shipments.some(({ state }) => state === 'delivered') ? null : 'No tire was delivered yet.',
        },
      ]
    : []
  const offered = [...formActions, ...pageActions, ...returned, ...printed].toSorted(byGroup)
  return arrangeActions(offered, nextSteps(order, facts, offered))
}

const groupOrder: readonly string[] = Object.values(groups)

function byGroup(one: OfferedAction, other: OfferedAction): number {
  return groupOrder.indexOf(one.group) - groupOrder.indexOf(other.group)
}

/** Returns each state's next steps, most urgent first, with blockers before steps the customer is waiting for. */
function nextSteps(
  order: OrderView,
  { roles, view, refunds, isHeld, isWaiting }: ActionFacts,
  offered: readonly OfferedAction[],
): (DetailAction | undefined)[] {
  const can = (permission: Permission) => staffCan(roles, permission)
  const act = (name: string, isNext = true) =>
    isNext ? offered.find((action) => action.name === name && action.whyNot === null) : undefined
  const link = (name: string, path: string, isNext: boolean): DetailAction | undefined =>
    isNext ? { name, path } : undefined
  const here = (part: string) => `${officePaths.officeOrder(order.id, { view: view ?? undefined })}#${part}`
  const draft = refunds.find(({ isDraft, isMine }) => isDraft && !isMine)
  const refused = refunds.find(({ mayRetry }) => mayRetry)
  const installation = installationState(order)
  const pickup = order.warehousePickup
  const isPickup = pickup !== null && pickup.handedOverAt === null && order.releasedAt !== null
  return [
    link('Review order', officePaths.officeHeldOrder(order.id), isHeld && can('held-orders.decide')),
    act('Confirm', order.state === 'needs-confirmation'),
    act('Record fit check'),
    link(`Approve ${draft?.amount ?? ''}`, here('refunds'), draft !== undefined && can('refunds.approve')),
    link('Retry refund', here('refunds'), refused !== undefined && can('refunds.make')),
    link('Reply to customer', here('conversation'), isWaiting && can('requests.answer')),
    act('Move appointment', comesLate(order) !== null || installation === 'unbooked' || installation === 'missed'),
    link(
      pickup?.readyAt ? 'Hand over' : 'Make ready',
      officePaths.officePickup(order.id),
      isPickup && can('pickups.hand-over'),
    ),
    act('Refund', order.releasedAt !== null),
    act('Change shop or delivery'),
    link('Write to customer', here('conversation'), can('requests.answer')),
    act('Add note'),
  ]
}
