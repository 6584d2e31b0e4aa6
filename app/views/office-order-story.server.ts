/** What happened to an order, from everything that is written down about it, newest first. */
import { officePaths } from '#content/office-paths.ts'
import { selectMailsOfOrder, type OrderMail } from '#domain/messages/messages.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import {
  selectHappenings,
  selectOrderNotes,
  type OrderHappening,
  type OrderNote,
  type OrderView,
} from '#domain/orders/orders.server.ts'
import {
  selectChargeEvents,
  selectRefundsOfOrder,
  type ChargeEvent,
  type ChargeRefundEntry,
} from '#domain/payments/payments.server.ts'
import { listAudit, type AuditEntry } from '#domain/staff/staff.server.ts'
import { acts, isAct } from '#domain/staff/staff.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { clockText } from '#platform/time-text.ts'
import type { Shop } from '#shop'

/** The kinds that the reader can filter by. */
const storyKinds = {
  order: 'Order',
  parcels: 'Parcels',
  email: 'Email',
  money: 'Money',
  staff: 'Staff',
} as const
export type StoryKind = keyof typeof storyKinds

type Told = {
  group: StoryKind
  kind: string
  at: Temporal.Instant
  tone: 'go' | 'signal' | 'stop' | 'plain'
  text: string
  quote: string | null
  path: string | null
}

export type StoryView = {
  /** How many there are of each kind; `all` of all together. */
  counts: Record<StoryKind | 'all', number>
  days: { day: string; entries: (Omit<Told, 'at' | 'group'> & { time: string })[] }[]
}

/** The kind that the address asks for; null for everything. */
export function storyKind(asked: string | null): StoryKind | null {
  return asked !== null && Object.hasOwn(storyKinds, asked) ? (asked as StoryKind) : null
}

/**
 * Reads what happened to an order, in the time zone of the order, of one kind or of all. Emails are linked where the
 * reader may see them; notes and what was written in them are left out without `seesCustomer`.
 */
export async function readStory(
  shop: Shop,
  order: OrderView,
  { show, seesCustomer }: { show: StoryKind | null; seesCustomer: boolean },
): Promise<StoryView> {
  const { db } = shop
  const subject = orderNumber(order.id).toLowerCase()
  const everyone = { actor: null, act: null, from: null, until: null, before: null }
  const [happenings, charges, refunds, mails, notes, audit] = await Promise.all([
    selectHappenings(db, order.id),
    selectChargeEvents(db, order.id),
    selectRefundsOfOrder(db, order.id),
    selectMailsOfOrder(db, order.id),
    selectOrderNotes(db, order.id),
    listAudit(shop, { ...everyone, subject }),
  ])
  const parcels = new Map(order.shipments.map(({ id }, index) => [id, index + 1]))
  const all: Told[] = [
    ...happenings.map((one) => toldOf(one, parcels)),
    ...charges.filter(({ note }) => note !== 'given back in part').map(chargeTold),
    ...refunds.map(refundTold),
    ...mails.map((mail) => mailTold(mail, order.id, seesCustomer)),
    ...notes.map((note) => noteTold(note, seesCustomer)),
    ...audit.entries.filter(({ act }) => act !== 'order.noted').map(auditTold),
  ].toSorted((one, other) => Temporal.Instant.compare(other.at, one.at))
  const counts = { all: all.length, order: 0, parcels: 0, email: 0, money: 0, staff: 0 }
  for (const { group } of all) counts[group] += 1
  const days = Map.groupBy(
    all.filter(({ group }) => show === null || group === show),
    ({ at }) => dayText(at.toZonedDateTimeISO(order.timeZone)),
  )
  return {
    counts,
    days: [...days].map(([day, entries]) => ({
      day,
      entries: entries.map(({ at, kind, tone, text, quote, path }) => ({
        time: clockText(at, order.timeZone),
        kind,
        tone,
        text,
        quote,
        path,
      })),
    })),
  }
}

const plain = { tone: 'plain', quote: null, path: null } as const

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

const mailStates = {
  queued: 'queued',
  sent: 'sent',
  refused: 'refused by the recipient’s mail server',
  bounced: 'bounced',
  complained: 'sent, and reported as spam',
  dropped: 'not sent: it no longer applied',
} as const

function mailTold({ id, kind, to, state, queuedAt, sentAt }: OrderMail, orderId: number, seesCustomer: boolean): Told {
  return {
    ...plain,
    group: 'email',
    kind: 'Email',
    at: sentAt ?? queuedAt,
    tone: state === 'refused' || state === 'bounced' ? 'stop' : state === 'sent' ? 'go' : 'plain',
    text: `“${capital(kind.replaceAll('-', ' '))}” ${mailStates[state]}${seesCustomer ? `, to ${to}` : ''}`,
    path: seesCustomer ? officePaths.officeOrderEmail(orderId, id) : null,
  }
}

function noteTold({ at, author, body }: OrderNote, seesCustomer: boolean): Told {
  const quote = seesCustomer ? body : 'Your role does not show notes about customers.'
  return { ...plain, group: 'staff', kind: 'Note', at, text: `${author} noted:`, quote }
}

function auditTold({ at, actor, act, after, reason }: AuditEntry): Told {
  const amount = (after as { amountCents?: number } | null)?.amountCents
  const words = isAct(act) ? acts[act] : act
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
