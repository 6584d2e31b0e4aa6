/** The back office's email templates, along with the released ones from the bundle. */
import { findItems } from '#domain/catalog/catalog/catalog.server.ts'
import {
  selectMailsOfOrder,
  selectOrdersOfKind,
  type ReadTemplate,
} from '#domain/messaging/messages/messages.server.ts'
import type { MessageKind, MessageValues } from '#domain/messaging/messages/messages.ts'
import { orderNumber, parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { placeholdersOf } from '#platform/placeholders.ts'
import { normalizeText } from '#platform/text-file.ts'
import type { Application } from '#application'
import { mailOf } from '#app/views/email-content.server.ts'

const templates = import.meta.glob<string>('/content/mail/*.md', { query: '?raw', import: 'default', eager: true })

/** Reads the released template of a kind. */
export const readReleasedTemplate: ReadTemplate = async (kind) =>
  normalizeText(templates[`/content/mail/${kind}.md`] ?? '')

/** "Order received" */
export function kindLabel(kind: MessageKind): string {
  return (kind.charAt(0).toUpperCase() + kind.slice(1)).replaceAll('-', ' ')
}

/** The numbers of the last orders that an email of this kind was about, at most five. */
export async function ordersToTry({ db }: Pick<Application, 'db'>, kind: MessageKind): Promise<string[]> {
  return (await selectOrdersOfKind(db, kind, 5)).map(orderNumber)
}

/**
 * The values for trying a template. They come from the last email of this kind about an order, or from the order
 * itself, or are samples without an order. Refuses an order that this kind is not about.
 */
export async function readTrial(
  app: Application,
  kind: MessageKind,
  order: string,
): Promise<Outcome<{ values: MessageValues | null; picturedItem: number | null }, Refused<'order-without-email'>>> {
  if (order.trim() === '') return ok({ values: null, picturedItem: await findPicturedItem(app) })
  const orderId = parseOrderNumber(order)
  if (orderId === undefined) return refused('order-without-email')
  const mails = await selectMailsOfOrder(app.db, orderId)
  const key = mails.findLast((each) => each.kind === kind && !isAgain(each.key))?.key ?? `${kind}:${orderId}`
  const [source, content] = await Promise.all([
    readReleasedTemplate(kind),
    // What an email of another kind is about is not there for this order.
    mailOf(app, { kind, orderId, key }).catch(() => null),
  ])
  const isComplete = content !== null && placeholdersOf(source).every((name) => Object.hasOwn(content.values, name))
  return isComplete ? ok({ values: content.values, picturedItem: null }) : refused('order-without-email')
}

/** Whether an email repeats an earlier one. The key starts with `again:` followed by the subject of the email. */
function isAgain(key: string): boolean {
  return key.startsWith('again:')
}

/** Any item: the sample names a tire that the catalog may not have. */
async function findPicturedItem(app: Pick<Application, 'db'>): Promise<number | null> {
  const [item] = await findItems(app, '', 1)
  return item?.id ?? null
}
