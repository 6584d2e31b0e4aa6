/** Text messages about an order, with the page's section, and its button's handler. */
import type { RouterContextProvider } from 'react-router'
import { visitorContext } from '#app/server/context.ts'
import { orderIdOf, requireOwnOrder } from '#app/views/orders.server.ts'
import { textMessages } from '#content/messages/texts.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { askForTexts, findTextOrder } from '#domain/messaging/texts/texts.server.ts'
import { consentWords, textNumber } from '#domain/messaging/texts/texts.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { phoneText } from '#platform/phone-text.ts'
import type { Application } from '#application'

export type TextsView = { phone: string; words: string; state: 'off' | 'asked' | 'confirmed' | 'stopped' }

/** What the order's page shows; null where no texts are sent, or to whom may only look. */
export async function textsOf(
  app: Application,
  { order, access }: { order: OrderView; access: 'own' | 'read' },
): Promise<TextsView | null> {
  const isLive = order.state === 'confirmed' || order.state === 'needs-confirmation'
  if (!app.texts || access === 'read' || !isLive || textNumber(order.phone) === undefined) return null
  const asked = await findTextOrder(app, order.id)
  return { phone: phoneText(order.phone), words: consentWords(app.config.store.name), state: asked?.state ?? 'off' }
}

/** Requests text messages about the URL's order and reloads the page, or returns the error. */
export async function textFromPage(
  context: Readonly<RouterContextProvider>,
  url: URL,
): Promise<Response | { texts: string }> {
  const { app, order, access } = await requireOwnOrder(
    context,
    orderIdOf(url.searchParams.get('order')),
    url.searchParams,
  )
  if (access === 'read') throw new Response(null, { status: 403 })
  if (!app.texts) throw new Response(null, { status: 404 })
  const { networkKey } = context.get(visitorContext)
  const words = consentWords(app.config.store.name)
  const asked = await askForTexts(app, { orderId: order.id, phone: order.phone, networkKey, words })
  return asked.ok ? seeOther(url.pathname + url.search) : { texts: textMessages[asked.reason] }
}
