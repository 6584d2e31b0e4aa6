/** What a customer and the store wrote to each other, over all orders, oldest first. */
import { officePaths } from '#content/office-paths.ts'
import { selectMailsOfOrders } from '#domain/messaging/messages/messages.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { requestNumber } from '#domain/messaging/support/support.ts'
import { selectRepliesTo, selectRequestsFrom } from '#domain/messaging/support/support.server.ts'
import { selectTextsOfOrders } from '#domain/messaging/texts/texts.server.ts'
import { storeDateText, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { emptyEntry, type BubbleView, type Channel, type ConversationEntry } from './order-conversation.server.ts'
import { capital } from './order-ledger.server.ts'

/** Of each kind; older messages are at the order or request. */
const mostOfEach = 50
const mostShown = 60
const longestShown = 1_000

const channelLabels: readonly (readonly [Channel | null, string])[] = [
  [null, 'Everything'],
  ['email', 'Emails'],
  ['text', 'Texts'],
  ['note', 'Notes'],
]

/** The kinds of messages on a customer's page, with their addresses. `kind` is the one in the page's address. */
export function messageChips(customerId: string, kind: string | null) {
  const chosen = channelLabels.find(([channel]) => channel === kind)?.[0] ?? null
  return channelLabels.map(([channel, label]) => ({
    label,
    path: `${officePaths.officeCustomer(customerId, undefined, channel ?? undefined)}#conversation`,
    isOn: channel === chosen,
  }))
}

/**
 * The latest messages, of one kind or all, each with its subject. `last` is when and by whom the last message was
 * written.
 */
export async function readCustomerMessages(
  { db }: Application,
  { emails, orderIds, kind }: { emails: readonly string[]; orderIds: readonly number[]; kind: string | null },
): Promise<{ bubbles: BubbleView[]; last: { time: string; note: string } | null }> {
  const [requests, texts, mails] = await Promise.all([
    selectRequestsFrom(db, emails, mostOfEach),
    selectTextsOfOrders(db, orderIds, mostOfEach),
    selectMailsOfOrders(db, orderIds, mostOfEach),
  ])
  const replies = await selectRepliesTo(
    db,
    requests.map(({ id }) => id),
    mostOfEach,
  )
  const all: ConversationEntry[] = [
    ...requests
      .filter(({ message }) => message !== '')
      .map(({ id, name, subject, message, createdAt }) => ({
        ...emptyEntry,
        id: `request-${id}`,
        at: createdAt,
        side: 'theirs' as const,
        channel: 'email' as const,
        who: name,
        title: `${requestNumber(id)}: ${subject}`,
        path: officePaths.officeMessage(id),
        body: message,
      })),
    ...replies.map(({ id, requestId, kind, channel, author, body, at }) => ({
      ...emptyEntry,
      id: `reply-${id}`,
      at,
      side: ({ in: 'theirs', out: 'ours', note: 'note' } as const)[kind],
      channel: kind === 'note' ? ('note' as const) : channel,
      who: author,
      title: `About ${requestNumber(requestId)}`,
      path: officePaths.officeMessage(requestId),
      body,
    })),
    ...texts.filter(isAutomatic).map(({ id, kind, orderId, body, at }) => ({
      ...emptyEntry,
      id,
      at,
      side: 'ours' as const,
      channel: 'text' as const,
      who: 'Store',
      title: `About ${orderNumber(orderId)}`,
      path: officePaths.officeOrder(orderId),
      body: body ?? capital(kind),
    })),
    ...mails.filter(isAutomatic).map(({ id, kind, orderId, subject, at }) => ({
      ...emptyEntry,
      id,
      at,
      side: 'ours' as const,
      channel: 'email' as const,
      who: 'Store',
      title: `${orderNumber(orderId)}: ${subject ?? capital(kind)}`,
      path: officePaths.officeOrderEmail(orderId, id),
    })),
  ]
  const sorted = all.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
  const isKind = channelLabels.some(([channel]) => channel !== null && channel === kind)
  const shown = sorted.filter(({ channel }) => !isKind || channel === kind).slice(-mostShown)
  const last = sorted.findLast(({ side }) => side !== 'note')
  return {
    bubbles: shown.map(({ at, body, ...bubble }) => ({
      ...bubble,
      body: shorten(body),
      time: timeText(at, storeZone),
    })),
    last: last
      ? {
          time: storeDateText(last.at),
          note: last.side === 'theirs' ? `${last.channel}, not answered` : `${last.channel} from the store`,
        }
      : null,
  }
}

function shorten(text: string | null): string | null {
  return text !== null && text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}

/** Excludes messages from staff. The page shows them as replies. */
function isAutomatic({ kind }: { kind: string }): boolean {
  return kind !== 'staff' && kind !== 'order-message'
}
