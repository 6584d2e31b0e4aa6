/** What a customer and the store wrote to each other, over all orders, oldest first. */
import { officePaths } from '#content/office-paths.ts'
import { selectMailsOfOrders } from '#domain/messages/messages.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { requestNumber } from '#domain/support/support.ts'
import { selectRepliesTo, selectRequestsFrom } from '#domain/support/support.server.ts'
import { selectTextsOfOrders } from '#domain/texts/texts.server.ts'
import { storeDateText, storeZone } from '#platform/store-zone.ts'
import { clockText } from '#platform/time-text.ts'
import type { Shop } from '#shop'
import { sentence } from './office-customers.server.ts'

type Entry = {
  key: string
  at: Temporal.Instant
  from: 'customer' | 'store' | 'note'
  who: string
  via: 'email' | 'text' | 'note'
  /** The order or request that it is about. */
  about: { label: string; path: string } | null
  text: string
}

export type MessageEntry = Omit<Entry, 'at'> & { time: string }

/** Of each kind; older messages are at the order or request. */
const mostOfEach = 50
const mostShown = 60
const longestShown = 1_000

export async function readCustomerMessages(
  { db }: Shop,
  { emails, orderIds }: { emails: readonly string[]; orderIds: readonly number[] },
): Promise<{ entries: { day: string; entries: MessageEntry[] }[]; last: { time: string; note: string } | null }> {
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
  const ofRequest = (id: number) => ({ label: requestNumber(id), path: officePaths.officeMessage(id) })
  const ofOrder = (id: number) => ({ label: orderNumber(id), path: officePaths.officeOrder(id) })
  const all: Entry[] = [
    ...requests.map(({ id, name, message, createdAt }) => ({
      key: `request ${id}`,
      at: createdAt,
      from: 'customer' as const,
      who: name,
      via: 'email' as const,
      about: ofRequest(id),
      text: message,
    })),
    ...replies.map(({ id, requestId, kind, author, body, at }) => ({
      key: `reply ${id}`,
      at,
      from: ({ in: 'customer', out: 'store', note: 'note' } as const)[kind],
      who: author,
      via: kind === 'note' ? ('note' as const) : ('email' as const),
      about: ofRequest(requestId),
      text: body,
    })),
    ...texts.map(({ id, kind, orderId, state, body, at }) => ({
      key: `text ${id}`,
      at,
      from: 'store' as const,
      who: 'Store',
      via: 'text' as const,
      about: ofOrder(orderId),
      text: body ?? `${sentence(kind)} (${state})`,
    })),
    ...mails.map(({ id, kind, orderId, subject, at }) => ({
      key: `mail ${id}`,
      at,
      from: 'store' as const,
      who: 'Store',
      via: 'email' as const,
      about: { label: orderNumber(orderId), path: officePaths.officeOrderEmail(orderId, id) },
      text: subject ?? sentence(kind),
    })),
  ]
  const shown = all.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at)).slice(-mostShown)
  const last = shown.findLast(({ from }) => from !== 'note')
  return {
    entries: [...Map.groupBy(shown, ({ at }) => storeDateText(at))].map(([day, each]) => ({
      day,
      entries: each.map(({ at, ...entry }) => ({
        ...entry,
        text: entry.text.length > longestShown ? `${entry.text.slice(0, longestShown)}…` : entry.text,
        time: clockText(at, storeZone),
      })),
    })),
    last: last
      ? {
          time: storeDateText(last.at),
          note: last.from === 'customer' ? `${last.via}, not answered` : `${last.via} from the store`,
        }
      : null,
  }
}
