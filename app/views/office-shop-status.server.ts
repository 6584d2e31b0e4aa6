/** The panel that pauses, suspends or closes a shop, with a preview of the effects. */
import type { Staff } from '#app/server/office.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listAffected, type StatusInput } from '#domain/installer-portal/shops/shops.server.ts'
import { choiceField, maxListed, maxPauseDays } from '#domain/installer-portal/shops/shops.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf } from '#platform/count-text.ts'
import { timeText } from '#platform/time-text.ts'

export type StatusTo = 'paused' | 'suspended' | 'closed'

export type StatusPanelView = {
  to: StatusTo
  tabs: { label: string; path: string; isOn: boolean }[]
  /** The pause's days, as entered or suggested, with `fault` as the error. */
  days: { from: string; through: string; fault: string | null } | null
  /** Null until the days are known. */
  affected: {
    seen: string
    title: string
    rows: {
      id: string
      field: string | null
      order: string
      path: string
      who: string
      now: string
      note: string
      options: Record<string, string>
    }[]
    /** How many appointments share the last choice, and its options; null without any. */
    rest: { label: string; options: Record<string, string> } | null
  } | null
}

/** Returns the panel for the URL; null if it is closed, or the user lacks the permission. */
export async function readStatusPanel(
  { app, session }: Staff,
  record: ShopRecord,
  query: URLSearchParams,
): Promise<StatusPanelView | null> {
  const allowed = allowedFor(session.roles, record)
  const to = allowed.find((each) => each === query.get('to'))
  if (!to) return null
  const today = app.clock.now().toZonedDateTimeISO(record.timeZone).toPlainDate()
  const days = to === 'paused' ? readDays(query, today) : null
  const input: StatusInput | null =
    to !== 'paused'
      ? { to, reason: '' }
      : days?.read
        ? { to, from: days.read[0], through: days.read[1], reason: '' }
        : null
  const view = {
    to,
    tabs: allowed.map((each) => ({
      label: tabLabels[each],
      path: officePaths.officeShop(record.code, { to: each }),
      isOn: each === to,
    })),
    days: days && { from: days.from, through: days.through, fault: days.fault },
  }
  if (!input) return { ...view, affected: null }
  const { appointments, seen } = await listAffected(app, record, input)
  const customers = customerFieldsFor(session.roles)
  const mayRefund = staffCan(session.roles, 'orders.cancel')
  const base = { offer: 'Offer another time or shop', ...(to === 'paused' && { keep: 'Keep the appointment' }) }
  const listed = appointments.map((each, index) => ({
    id: each.id,
    field: index < maxListed ? choiceField(each.id) : null,
    order: orderNumber(each.orderId),
    path: officePaths.officeOrder(each.orderId),
    who: [each.company ?? customers.show(each.customer), each.tires.join(', ')].filter(Boolean).join(' · '),
    now: timeText(each.start, each.timeZone),
    note: each.areTiresThere ? 'Tires are at the shop or on their way. You get a report to move them.' : '',
    options: {
      ...base,
      ...(mayRefund && each.whyNoRefund === null && { refund: 'Cancel the order and refund it' }),
    },
  }))
  const others = Math.max(0, listed.length - maxListed)
  return {
    ...view,
    affected: {
      seen,
      title: listed.length === 0 ? 'No appointments are affected' : `${countOf(listed.length, 'appointment')} affected`,
      rows: listed,
      rest: others > 0 ? { label: `The other ${countOf(others, 'appointment')}`, options: base } : null,
    },
  }
}

const tabLabels: Readonly<Record<StatusTo, string>> = {
  paused: 'Pause bookings',
  suspended: 'Suspend',
  closed: 'Close for good',
}

/** What this person can do with the shop as it is. */
export function allowedFor(
  roles: Parameters<typeof staffCan>[0],
  { status, isInSetUp }: Pick<ShopRecord, 'status' | 'isInSetUp'>,
): StatusTo[] {
  const mayClose = staffCan(roles, 'shops.close')
  return [
    ...(status === 'open' && !isInSetUp && staffCan(roles, 'shops.edit') ? ['paused' as const] : []),
    ...(mayClose && status === 'open' ? ['suspended' as const] : []),
    ...(mayClose && status !== 'closed' ? ['closed' as const] : []),
  ]
}

/** The days in the address; without any, a week from tomorrow on is proposed. */
function readDays(query: URLSearchParams, today: Temporal.PlainDate) {
  const from = dayOf(query.get('from'))
  const through = dayOf(query.get('through'))
  const typed = {
    from: from?.toString() ?? today.add({ days: 1 }).toString(),
    through: through?.toString() ?? today.add({ days: 7 }).toString(),
  }
  if (!query.has('from') && !query.has('through')) return { ...typed, fault: null, read: null }
  if (!from || !through) return { ...typed, fault: 'Choose both days.', read: null }
  if (Temporal.PlainDate.compare(from, through) > 0)
    return { ...typed, fault: 'The last day can’t be before the first.', read: null }
  if (Temporal.PlainDate.compare(through, today) < 0)
    return { ...typed, fault: 'Those days have passed. Choose today or later.', read: null }
  if (from.until(through).days >= maxPauseDays)
    return {
      ...typed,
      fault: `A pause has at most ${countOf(maxPauseDays, 'day')}. Suspend the shop instead.`,
      read: null,
    }
  return { ...typed, fault: null, read: [from, through] as const }
}

function dayOf(text: string | null): Temporal.PlainDate | null {
  if (text === null || !/^20\d{2}-\d{2}-\d{2}$/.test(text)) return null
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return null
  }
}
