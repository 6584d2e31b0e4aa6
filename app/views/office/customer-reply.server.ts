/** The reply form on a customer's page, with its possible orders and channels. */
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listTemplates } from '#domain/messaging/support/support.server.ts'
import { findTextOrder } from '#domain/messaging/texts/texts.server.ts'
import { atOnce } from '#platform/at-once.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'
import { filledTemplates, type ReplyView } from './order-conversation.server.ts'

/** How many of the newest orders a message can be about. */
const ordersOffered = 10

/**
 * Returns how staff can write to a customer about their newest orders, or by email without an order. Text messages
 * require an order the customer opted in for.
 */
export async function readCustomerReply(
  { db }: Application,
  { name, orderIds }: { name: string; orderIds: readonly number[] },
): Promise<ReplyView> {
  const offered = orderIds.slice(0, ordersOffered)
  const [templates, ...consents] = await atOnce(db, [
    (own) => listTemplates({ db: own }),
    ...offered.map((id) => (own: typeof db) => findTextOrder({ db: own }, id)),
  ])
  const withTexts = new Set(offered.filter((_, index) => consents[index]?.state === 'confirmed'))
  const chosen = offered.find((id) => withTexts.has(id)) ?? offered[0]
  const [firstName = name] = name.split(' ')
  return {
    channels: [
      {
        channel: 'text',
        label: 'Text',
        whyNot: withTexts.size > 0 ? null : 'The customer did not agree to text messages about a recent order.',
      },
      { channel: 'email', label: 'Email', whyNot: null },
    ],
    templates: filledTemplates(templates, {
      firstName,
      ...(chosen !== undefined && { orderNumber: orderNumber(chosen) }),
    }),
    to: firstName,
    once: newId(),
    about: {
      options: [
        ...offered.map((id): [string, string] => [
          orderNumber(id),
          `${orderNumber(id)}${withTexts.has(id) ? ', texts on' : ''}`,
        ]),
        ['', 'No order'],
      ],
      chosen: chosen === undefined ? '' : orderNumber(chosen),
    },
  }
}
