/** An order's timeline from all records, newest first. Messages are excluded, because they are in the conversation. */
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  findSellerOf,
  selectHappenings,
  type OrderHappening,
  type OrderNote,
  type OrderView,
} from '#domain/ordering/orders/orders.server.ts'
import {
  selectRefundsOfOrder,
  type ChargeEvent,
  type ChargeRefundEntry,
} from '#domain/payments/payments/payments.server.ts'
import { listAudit, type AuditEntry } from '#domain/kernel/staff/staff.server.ts'
import { actLabel } from '#domain/kernel/staff/staff.ts'
import type { TimelineView } from '#app/office/detail-timeline.tsx'
import { officePaths } from '#content/office-paths.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { clockText } from '#platform/time-text.ts'
import type { Application } from '#application'

/** The kinds that the reader can filter by. */
const storyKinds = {
  order: 'Order',
  parcels: 'Parcels',
  money: 'Money',
  staff: 'Staff',
} as const
export type StoryKind = keyof typeof storyKinds

/** An entry of the timeline. */
export type Told = {
  group: StoryKind
  kind: string
  at: Temporal.Instant
  tone: 'go' | 'signal' | 'stop' | 'plain'
  text: string
  quote: string | null
}

/** Returns the requested kind of entries; null for all. */
export function storyKind(asked: string | null): StoryKind | null {
  return asked !== null && Object.hasOwn(storyKinds, asked) ? (asked as StoryKind) : null
}

/** Entries shown before the reader requests all. */
const firstEntries = 6

/** Acts that the conversation shows. */
const inConversation: ReadonlySet<string> = new Set(['order.noted', 'order.emailed', 'order.texted'])

/**
 * Reads an order's timeline in its time zone, for one kind or all. Roles without access to the conversation see that a
 * note was added, but not its text.
 */
export async function readTimeline(
  app: Application,
  order: OrderView,
  {
    show,
    isWhole,
    view,
    charges,
    notes,
    zone,
  }: {
    show: StoryKind | null
    isWhole: boolean
    /** The view that the reader came from, which links keep. */
    view: string | null
    zone: string
    charges: readonly ChargeEvent[]
    /** Notes to include; empty if the conversation has them. */
    notes: readonly OrderNote[]
  },
): Promise<TimelineView> {
  const all = await readStory(app, order, { charges, notes })
  const counts = { all: all.length, order: 0, parcels: 0, money: 0, staff: 0 }
  for (const { group } of all) counts[group] += 1
  const chosen = all.filter(({ group }) => show === null || group === show)
  const shown = isWhole ? chosen : chosen.slice(0, firstEntries)
  const days = Map.groupBy(shown, ({ at }) => dayText(at.toZonedDateTimeISO(order.timeZone)))
  const pathOf = (kind: StoryKind | null, all?: string) =>
    `${officePaths.officeOrder(order.id, { show: kind ?? undefined, all, view: view ?? undefined })}#timeline`
  const chipOf = (kind: StoryKind | null, label: string) => ({
    label,
    count: counts[kind ?? 'all'],
    path: pathOf(kind),
    isOn: show === kind,
  })
  return {
    chips: [
      chipOf(null, 'All'),
      ...(Object.keys(storyKinds) as StoryKind[])
        .filter((kind) => counts[kind] > 0)
        .map((kind) => chipOf(kind, storyKinds[kind])),
    ],
    more: { count: chosen.length - shown.length, path: pathOf(show, 'yes') },
    zone,
    days: [...days].map(([day, entries]) => ({
      day,
      entries: entries.map(({ at, kind, tone, text, quote }) => ({
        time: clockText(at, order.timeZone),
        kind,
        tone,
        text,
        quote,
      })),
    })),
  }
}

/** Reads all entries of an order's timeline, newest first. `notes` are those to include. */
export async function readStory(
  app: Application,
  order: OrderView,
  { charges, notes }: { charges: readonly ChargeEvent[]; notes: readonly OrderNote[] },
): Promise<Told[]> {
  const { db } = app
  const subject = orderNumber(order.id).toLowerCase()
  const everyone = { actor: null, act: null, from: null, until: null, before: null }
  const [seller, happenings, refunds, audit] = await Promise.all([
    findSellerOf(db, order.id),
    selectHappenings(db, order.id),
    selectRefundsOfOrder(db, order.id),
    listAudit(app, { ...everyone, subject }),
  ])
  const parcels = new Map(order.shipments.map(({ id }, index) => [id, index + 1]))
  return [
    ...happenings.map((one) => toldOf(one, parcels)),
    ...charges.filter(({ note }) => note !== 'given back in part').map(chargeTold),
    ...refunds.map(refundTold),
    ...notes.map(noteTold),
    ...(seller === null ? [] : [soldTold(order.placedAt, seller)]),
    ...audit.entries.filter(({ act }) => !inConversation.has(act)).map(auditTold),
  ].toSorted((one, other) => Temporal.Instant.compare(other.at, one.at))
}

const plain = { tone: 'plain', quote: null } as const

const actors: Record<string, string> = {
  shopper: 'the customer',
  customer: 'the customer',
  store: 'the store',
  system: 'the store',
  carrier: 'the carrier',
}

function toldOf({ about, parcelId, at, from, to, actor, note }: OrderHappening, parcels: Map<string, number>): Told {
  const by = actors[actor] ?? actor
  const state = to.replaceAll('-', ' ')
  const said = note ? `. ${note}` : ''
  if (about === 'parcel')
    return {
      ...plain,
      group: 'parcels',
      kind: `Parcel ${parcels.get(parcelId ?? '') ?? ''}`.trim(),
      at,
      tone: to === 'returned' || to === 'canceled' ? 'stop' : 'go',
      text: `${capital(state)}, by ${by}${said}`,
    }
  if (about === 'appointment')
    return { ...plain, group: 'order', kind: 'Appointment', at, text: `${capital(state)}, by ${by}${said}` }
  const text = from === null ? `Placed by ${by}` : from === to ? `Noted by ${by}` : `${capital(state)}, by ${by}`
  const tone = to === 'canceled' || to === 'returned' ? 'stop' : from === to ? 'signal' : 'go'
  return { ...plain, group: 'order', kind: 'Order', at, tone, text: `${text}${said}` }
}

function chargeTold({ at, to, actor, note, amountCents }: ChargeEvent): Told {
  const text = `${formatCents(amountCents)} ${to}, by ${actors[actor] ?? actor}${note ? `. ${note}` : ''}`
  return { ...plain, group: 'money', kind: 'Charge', at, tone: to === 'failed' ? 'stop' : 'go', text }
}

function refundTold({ key, state, amountCents, note, promisedAt, doneAt }: ChargeRefundEntry): Told {
  const amount = formatCents(amountCents)
  const about = key.startsWith('guarantee:')
    ? ' for the price guarantee'
    : key.startsWith('coverage:')
      ? ' for a coverage claim'
      : key.startsWith('order-change:')
        ? ' less for the changed order'
        : ''
  const what = amount + about
  const common = { ...plain, group: 'money', kind: 'Refund' } as const
  if (state === 'refused')
    return { ...common, at: promisedAt, tone: 'stop', text: `${what} refused by the provider. ${note ?? ''}`.trim() }
  return state === 'done' && doneAt
    ? { ...common, at: doneAt, tone: 'go', text: `${what} paid out to the card` }
    : { ...common, at: promisedAt, text: `${what} on its way to the card` }
}

function soldTold(at: Temporal.Instant, seller: string): Told {
  return { ...plain, group: 'staff', kind: 'Sold by', at, text: `${seller}, from a quote` }
}

function noteTold({ at, author }: OrderNote): Told {
  return { ...plain, group: 'staff', kind: 'Note', at, text: `${author} added a note about the customer` }
}

function auditTold({ at, actor, act, after, reason }: AuditEntry): Told {
  const amount = (after as { amountCents?: number } | null)?.amountCents
  const words = actLabel(act)
  return {
    ...plain,
    group: 'staff',
    kind: 'Staff',
    at,
    tone: 'signal',
    text: `${words}${amount === undefined ? '' : `, ${formatCents(amount)}`}, by ${actor}`,
    quote: reason,
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
