/** Text message content by kind. */
import { staffTextContent } from '#domain/aftercare/order-conversations/order-conversations.server.ts'
import { earlierTimeText, lateText } from '#domain/installer-portal/appointments/appointments.server.ts'
import { teamText } from '#domain/installer-portal/team-emails/team-emails.server.ts'
import { shopLateText } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { keyParts } from '#domain/messaging/messages/messages.ts'
import type { TextKind } from '#domain/messaging/texts/texts.ts'
import { orderTextContent } from '#domain/ordering/orders/orders.server.ts'
import { quoteTextContent } from '#domain/ordering/quotes/quotes.server.ts'
import type { Application } from '#application'

type Queued = { kind: TextKind; key: string; orderId: number | null }

/** Reads a queued text message with the time zone for quiet hours. Null for one that is no longer needed. */
type ReadContent = (app: Application, text: Queued) => Promise<{ body: string; zipZone: string | null } | null>

/** The key names an event and a member of the team, or an appointment with its start and a member. */
const shopNews: ReadContent = (app, text) => (keyParts(text.key).length > 2 ? lateText : teamText)(app, text)

const contents: Record<TextKind, ReadContent> = {
  'confirm-request': orderTextContent,
  welcome: orderTextContent,
  shipped: orderTextContent,
  delivered: orderTextContent,
  'appointment-reminder': orderTextContent,
  'appointment-soon': orderTextContent,
  quote: quoteTextContent,
  'earlier-time': earlierTimeText,
  recall: orderTextContent,
  staff: staffTextContent,
  'shop-news': shopNews,
  'shop-late': shopLateText,
}

/** Returns the content of a queued text message; null for one that is no longer needed. */
export const textOf: ReadContent = (app, text) => contents[text.kind](app, text)
