/** The forms of the tracking page that email a code and open the order with it. */
import { data, type RouterContextProvider } from 'react-router'
import { formRefusal, sayWait, type FormReply } from '#app/forms/form.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { findOrder, orderIdOf } from '#app/views/orders.server.ts'
import { orderCodeMessages, tooManyCodesMessage } from '#content/messages/orders.ts'
import { paths } from '#content/paths.ts'
import { parseOrderCode } from '#domain/ordering/orders/orders.ts'
import { askForCode, verifyCode, type CodeRefusal } from '#domain/ordering/orders/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import { newId } from '#platform/ids.ts'

type Context = Readonly<RouterContextProvider>
type Answer = Response | ReturnType<typeof refuse>

/** Emails a code for the order that the address shows, and shows the page again with a field for it. */
export async function sendCode(context: Context, url: URL, fields: URLSearchParams): Promise<Answer> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const orderId = orderIdOf(url.searchParams.get('order'))
  const browserId = visitor.orderCodeId ?? newId()
  const asked = await askForCode(app, {
    orderId,
    look: url.searchParams.get('look'),
    browserId,
    from: visitor.networkKey,
  })
  if (asked.ok)
    return seeOther(`${paths.trackResult(orderId, { look: asked.value.look })}#code`, [
      ['set-cookie', cookiesFor(app.config).orderCode(browserId)],
    ])
  if (asked.reason === 'order-not-found') throw notFound()
  sayWait(context, asked.detail.retryAfterSeconds)
  return refuse(formRefusal(fields, tooManyCodesMessage), 429)
}

/** Opens the order in this browser if the code typed is the one it asked for. */
export async function openWithCode(context: Context, url: URL, fields: URLSearchParams): Promise<Answer> {
  const [app, visitor] = [context.get(applicationContext), context.get(visitorContext)]
  const found = await findOrder(context, orderIdOf(url.searchParams.get('order')), url.searchParams)
  if (!found) throw notFound()
  // Opened in another tab since then, so the code is used, and the order is accessible.
  if (found.access !== 'status') return seeOther(url.pathname + url.search)
  const code = parseOrderCode(fields.get('code'))
  const refuseCode = (message: string) => refuse({ values: Object.fromEntries(fields), errors: { code: message } }, 422)
  if (code === undefined) return refuseCode(orderCodeMessages.malformed)
  const opened = await verifyCode(app, {
    orderId: found.order.id,
    look: url.searchParams.get('look'),
    browserId: visitor.orderCodeId ?? newId(),
    code,
  })
  if (opened.ok)
    return seeOther(url.pathname + url.search, [
      ['set-cookie', cookiesFor(app.config).orderKey(visitor, opened.value.key)],
    ])
  if (opened.reason === 'order-not-found') throw notFound()
  return refuseCode(refusals[opened.reason])
}

const refusals: Record<Exclude<CodeRefusal['reason'], 'order-not-found'>, string> = {
  'code-wrong': orderCodeMessages.wrong,
  'code-expired': orderCodeMessages.expired,
  'code-used': orderCodeMessages.used,
  'code-exhausted': orderCodeMessages.exhausted,
}

function refuse(code: FormReply, status: 422 | 429) {
  return data({ code }, { status })
}

function notFound(): Response {
  return new Response(null, { status: 404 })
}
