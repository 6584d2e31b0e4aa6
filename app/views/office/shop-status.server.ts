/** The panel that pauses, suspends or closes a shop, with a preview of the effects. */
import type { FieldOptions } from '#app/ui/select-options.tsx'
import type { Staff } from '#app/server/office.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffOrderActs } from '#domain/ordering/orders/orders.ts'
import { nearestShops, type NearestShop } from './nearest-shops.server.ts'
import { listAffected, type StatusInput } from '#domain/installer-portal/shops/shops.server.ts'
import {
  choiceField,
  longPauseMessage,
  maxClosingDays,
  maxListed,
  maxPauseDays,
} from '#domain/installer-portal/shops/shops.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { countOf, pluralForm } from '#platform/count-text.ts'
import { dayText } from '#platform/day-text.ts'
import { timeText } from '#platform/time-text.ts'

type Reader = Pick<Staff, 'app' | 'session'>

export type StatusTo = 'paused' | 'closing' | 'suspended' | 'closed'

export type StatusPanelView = {
  to: StatusTo
  choices: { label: string; note: string; path: string; isOn: boolean }[]
  /** The days of a pause, or the last day of a closing, as entered or suggested, with `fault` as the error. */
  days: { values: Readonly<Record<string, string>>; fault: string | null } | null
  /** Null until the days are known. */
  affected: AffectedView | null
}

export type AffectedView = {
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
    /** Where it could move; null without a suggestion. */
    nearest: NearestShop | null
    /** The choice that is selected at first. */
    usual: string
    options: FieldOptions
    /** Pages where staff move it themselves. */
    moves: { label: string; path: string }[]
  }[]
  /** How many appointments share the last choice, and its options; null without any. */
  rest: { label: string; options: FieldOptions; count: number } | null
}

/** Returns the panel for the URL; null if it is closed, or the user lacks the permission. */
export async function readStatusPanel(
  { app, session }: Reader,
  record: ShopRecord,
  query: URLSearchParams,
): Promise<StatusPanelView | null> {
  const allowed = allowedFor(session.roles, record)
  const to = allowed.find((each) => each === query.get('to'))
  if (!to) return null
  const today = app.clock.now().toZonedDateTimeISO(record.timeZone).toPlainDate()
  const { days, input } = readChange(to, query, today)
  const view = {
    to,
    choices: allowed.map((each) => ({
      ...choices[each],
      path: officePaths.officeShop(record.code, { to: each }),
      isOn: each === to,
    })),
    days,
  }
  return { ...view, affected: input && (await readAffected({ app, session }, record, input)) }
}

/** Lists the appointments after the last day of a shop that is to close; null for other shops. */
export async function readClosing(staff: Reader, record: ShopRecord) {
  if (!record.closing) return null
  const mayDecide = staffCan(staff.session.roles, 'shops.close')
  const affected = mayDecide ? await readAffected(staff, record, { to: 'decided', keepReason: '' }) : null
  const { lastDay, reason } = record.closing
  return { lastDay: dayText(Temporal.PlainDate.from(lastDay)), reason, affected }
}

async function readAffected({ app, session }: Reader, record: ShopRecord, input: StatusInput): Promise<AffectedView> {
  const { appointments, seen } = await listAffected(app, record, input)
  const customers = customerFieldsFor(session.roles)
  const can = (permission: Parameters<typeof staffCan>[1]) => staffCan(session.roles, permission)
  const isClosing = 'keepReason' in input
  const nearest = await nearestShops(app, appointments)
  const base = (keptReason: string | null) => ({
    ...(isClosing && (keptReason === null ? { later: 'Decide later' } : { later: 'Keep the appointment' })),
    offer: 'Offer another time or shop',
    ...((input.to === 'paused' || (isClosing && keptReason === null)) && { keep: 'Keep the appointment' }),
  })
  const listed = appointments.map((each, index) => ({
    id: each.id,
    field: index < maxListed ? choiceField(each.id) : null,
    order: orderNumber(each.orderId),
    path: officePaths.officeOrder(each.orderId),
    who: [each.company ?? customers.show(each.customer), each.tires.join(', ')].filter(Boolean).join(' · '),
    now: timeText(each.start, each.timeZone),
    note: [
      each.keptReason === null ? '' : `Kept: ${each.keptReason}`,
      each.areTiresThere ? 'Tires are at the shop or on their way. You get a report to move them.' : '',
    ]
      .filter(Boolean)
      .join(' '),
    nearest: nearest.get(each.id) ?? null,
    usual: isClosing ? 'later' : 'offer',
    options: Object.entries({
      ...base(each.keptReason),
      ...(can('orders.cancel') && each.whyNoRefund === null && { refund: 'Cancel the order and refund it' }),
    }),
    moves: input.to === 'decided' ? movesOf(each.orderId, can) : [],
  }))
  const others = Math.max(0, listed.length - maxListed)
  return {
    seen,
    title: titleOf(listed.length, input),
    rows: listed,
    rest:
      others > 0
        ? { label: `The other ${countOf(others, 'appointment')}`, options: Object.entries(base(null)), count: others }
        : null,
  }
}

function titleOf(count: number, { to }: StatusInput): string {
  if (count === 0) return 'No appointments are affected'
  const [one, many] =
    to === 'paused' ? ['falls in these dates', 'fall in these dates'] : ['is affected', 'are affected']
  return `${countOf(count, 'appointment')} ${pluralForm(count, one ?? '', many ?? '')}`
}

function movesOf(orderId: number, can: (permission: Parameters<typeof staffCan>[1]) => boolean) {
  return [
    ...(can(staffOrderActs.appointment.permission)
      ? [{ label: 'Move to another time', path: officePaths.officeOrderAct(orderId, 'appointment') }]
      : []),
    ...(can(staffOrderActs.place.permission)
      ? [{ label: 'Move to another shop', path: officePaths.officeOrderPlace(orderId) }]
      : []),
  ]
}

const choices: Readonly<Record<StatusTo, { label: string; note: string }>> = {
  paused: {
    label: 'Pause bookings',
    note: 'Between two dates, or until you end it. The shop stays listed with its next free time.',
  },
  closing: {
    label: 'Close after a day',
    note: 'No bookings after its last day. Later appointments are decided first.',
  },
  suspended: { label: 'Suspend', note: 'Hidden until you reopen it. Pay already earned is still sent.' },
  closed: { label: 'Close now', note: 'Removed from the store. Its page sends shoppers to shops nearby.' },
}

/** What this person can do with the shop as it is. */
export function allowedFor(
  roles: Parameters<typeof staffCan>[0],
  { status, isInSetUp }: Pick<ShopRecord, 'status' | 'isInSetUp'>,
): StatusTo[] {
  const mayClose = staffCan(roles, 'shops.close')
  return [
    ...(status === 'open' && !isInSetUp && staffCan(roles, 'shops.edit') ? ['paused' as const] : []),
    ...(mayClose && status === 'open' && !isInSetUp ? ['closing' as const] : []),
    ...(mayClose && status === 'open' ? ['suspended' as const] : []),
    ...(mayClose && status !== 'closed' ? ['closed' as const] : []),
  ]
}

type Change = { days: StatusPanelView['days']; input: StatusInput | null }

/** Reads the days in the address. The default is a week from tomorrow, or a last day in a week. */
function readChange(to: StatusTo, query: URLSearchParams, today: Temporal.PlainDate): Change {
  if (to === 'suspended' || to === 'closed') return { days: null, input: { to, reason: '' } }
  return to === 'paused' ? readPause(query, today) : readLastDay(query, today)
}

const passed = 'Those days have passed. Choose today or later.'

function readPause(query: URLSearchParams, today: Temporal.PlainDate): Change {
  const isFirst = !query.has('from') && !query.has('through')
  const fromText = isFirst ? today.add({ days: 1 }).toString() : query.get('from')
  const throughText = isFirst ? today.add({ days: 7 }).toString() : (query.get('through') ?? '')
  const [from, through] = [dayOf(fromText), dayOf(throughText)]
  const values = { from: from?.toString() ?? today.add({ days: 1 }).toString(), through: through?.toString() ?? '' }
  const wrong = (fault: string) => ({ days: { values, fault }, input: null })
  if (!from) return wrong('Choose the first day.')
  if (throughText !== '' && !through) return wrong('Choose a last day, or leave it empty.')
  const fault = through && faultOf(from, through, today)
  return fault ? wrong(fault) : { days: { values, fault: null }, input: { to: 'paused', from, through, reason: '' } }
}

/** Why a pause can't have these days. */
function faultOf(from: Temporal.PlainDate, through: Temporal.PlainDate, today: Temporal.PlainDate): string | null {
  if (Temporal.PlainDate.compare(from, through) > 0) return 'The last day can’t be before the first.'
  if (Temporal.PlainDate.compare(through, today) < 0) return passed
  return from.until(through).days >= maxPauseDays ? longPauseMessage : null
}

function readLastDay(query: URLSearchParams, today: Temporal.PlainDate): Change {
  const lastDay = query.has('lastDay') ? dayOf(query.get('lastDay')) : today.add({ days: 7 })
  const values = { lastDay: (lastDay ?? today.add({ days: 7 })).toString() }
  const wrong = (fault: string) => ({ days: { values, fault }, input: null })
  if (!lastDay) return wrong('Choose a day.')
  const ahead = today.until(lastDay).days
  if (ahead < 0 || ahead > maxClosingDays) return wrong('Choose today or a later day within a year.')
  return { days: { values, fault: null }, input: { to: 'closing', lastDay, reason: '', keepReason: '' } }
}

function dayOf(text: string | null): Temporal.PlainDate | null {
  if (text === null || !/^20\d{2}-\d{2}-\d{2}$/.test(text)) return null
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return null
  }
}
