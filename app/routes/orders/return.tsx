import { data, type RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, readFormWithFiles, refuseTry, type FormReply } from '#app/forms/form.ts'
import { remember } from '#app/server/account-memory.server.ts'
import { answerHeadersContext, visitorContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { orderIdOf, openOrderPage, requireOrder } from '#app/views/orders.server.ts'
import { askView, exchangePath, resultView, type AskView } from '#app/views/returns.server.ts'
import { returnMessages } from '#content/messages/returns.ts'
import { supportMessages } from '#content/messages/support.ts'
import { paths } from '#content/paths.ts'
import { settleHold } from '#domain/ordering/checkout/checkout.server.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import {
  cancelReturn,
  listOrderReturns,
  openReturn,
  startExchange,
  type OpenReturnRefusal,
} from '#domain/ordering/returns/returns.server.ts'
import { returnForm } from '#domain/ordering/returns/returns.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Application } from '#application'
import { ReturnForm } from './return-form.tsx'
import { ReturnResult } from './return-result.tsx'
import type { Route } from './+types/return.ts'

/** Creates a return for an order and shows existing ones. */
export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Return your tires',
    description: 'Return unmounted tires. Choose the tires and a reason, and get a label for each.',
    path: paths.trackOrder(),
    isIndexed: false,
  })

type Context = Readonly<RouterContextProvider>
type Own = { app: Application; order: OrderView; key: string | undefined }

/** Returns the order if the visitor can act on it. Redirects others to verification. */
async function requireActing(context: Context, url: URL, find = requireOrder): Promise<Own> {
  const orderId = orderIdOf(url.searchParams.get('order'))
  if (orderId === 0) throw seeOther(paths.trackOrder())
  const { app, order, access, key } = await find(context, orderId, url.searchParams)
  const look = url.searchParams.get('look') ?? undefined
  if (access === 'status') throw seeOther(paths.trackResult(orderId, { look }))
  if (access === 'read') throw data(null, { status: 403 })
  return { app, order, key }
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, order, key } = await requireActing(context, url, openOrderPage)
  const returns = await listOrderReturns(app.db, order.id)
  const asked = url.searchParams.get('return')
  if (asked === null) return { ask: await askView(app, order, { chosen: null, earlier: returns, key }), result: null }
  const view = returns.find(({ id }) => String(id) === asked)
  if (!view) throw new Response(null, { status: 404 })
  return { ask: null, result: await resultView(app, order, view, { key, cartId: context.get(visitorContext).cartId }) }
}

type Reply = { form?: FormReply; ask?: AskView; problem?: string }

export async function action({ context, request, url }: Route.ActionArgs) {
  const own = await requireActing(context, url)
  const { fields, files } = await readFormWithFiles(request, 'photos')
  switch (fields.get('intent')) {
    case 'cancel':
      return cancel(own, url)
    case 'exchange':
      return exchange(context, own, url)
    default:
      return ask(context, own, { fields, files, signal: request.signal })
  }
}

async function ask(
  context: Context,
  { app, order, key }: Own,
  { fields, files, signal }: { fields: URLSearchParams; files: File[]; signal: AbortSignal },
) {
  const checked = checkForm(returnForm, fields)
  const chosen = checked.ok ? { ...checked.value, photos: files.length } : null
  const earlier = await listOrderReturns(app.db, order.id)
  const refuse = async (form: FormReply, status = 422) =>
    data<Reply>({ form, ask: await askView(app, order, { chosen, earlier, key }) }, { status })
  if (!checked.ok) return refuse(checked.reply)
  // Refuses files that are too large immediately. Reads the others after the rest of the form is valid.
  const tooLarge = files.find(({ size }) => size > maxAttachmentBytes)
  if (tooLarge) return refuse(faulty(fields, { photos: supportMessages.tooLarge }))
  if (fields.get('intent') === 'check') return refuse(faulty(fields, {}), 200)
  const { seq, ...asked } = checked.value
  const opened = await openReturn(
    app,
    { ...asked, orderId: order.id },
    {
      by: 'shopper',
      seq,
      photos: await Promise.all(
        files.slice(0, 20).map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
      ),
      networkKey: context.get(visitorContext).networkKey,
      signal,
    },
  )
  if (opened.ok) {
    const { id, isNew } = opened.value
    // If the replacement can't be added to the cart now, the return's page offers it again and shows the reason.
    const started = isNew && asked.wants === 'exchange' ? await putInCart(context, app, id) : undefined
    const answer = started?.ok ? remember(context, { cartId: started.value.cartId }) : undefined
    return seeOther(paths.orderReturn(order.id, { returnId: id, key }), answer)
  }
  if (opened.reason === 'order-not-found') throw new Response(null, { status: 404 })
  if (opened.reason === 'too-many-photos') {
    refuseTry(context, formRefusal(fields, returnMessages.tooManyPhotos), { retryAfterSeconds: 3_600 })
    return refuse(formRefusal(fields, returnMessages.tooManyPhotos), 429)
  }
  const isBusy = opened.reason === 'photo' && opened.detail.why === 'busy'
  if (isBusy) context.get(answerHeadersContext).set('retry-after', '5')
  return refuse(faulty(fields, errorsOf(opened)), isBusy ? 503 : 422)
}

function errorsOf(refusal: Extract<OpenReturnRefusal, { reason: 'not-met' | 'photo' }>): Record<string, string> {
  if (refusal.reason === 'photo') return { photos: returnMessages.photo[refusal.detail.why] }
  const errors: Record<string, string> = {}
  for (const { field, isMet, reason } of refusal.detail) if (!isMet) errors[field] ??= reason
  return errors
}

async function cancel({ app, order, key }: Own, url: URL) {
  const view = await requireReturn({ app, order }, url)
  const canceled = await cancelReturn(app, { id: view.id, actor: 'shopper' })
  if (canceled.ok) return seeOther(paths.orderReturn(order.id, { returnId: view.id, key }))
  return data<Reply>({ problem: returnMessages.shipped }, { status: 409 })
}

async function putInCart(context: Context, app: Application, id: number) {
  const { cartId, networkKey } = context.get(visitorContext)
  const started = await startExchange(app, {
    id,
    cartId,
    admit: () => app.rateLimits.take('cart', { network: networkKey }),
  })
  if (started.ok) await settleHold(app, { cartId: started.value.cartId, heldBy: networkKey })
  return started
}

/** Puts the right tires into the cart, or leads to where they are chosen. */
async function exchange(context: Context, { app, order }: Own, url: URL) {
  const view = await requireReturn({ app, order }, url)
  const started = await putInCart(context, app, view.id)
  if (started.ok) return seeOther(paths.cart(), remember(context, { cartId: started.value.cartId }))
  switch (started.reason) {
    case 'return-not-found':
      throw new Response(null, { status: 404 })
    case 'no-size':
      return seeOther(exchangePath(started.detail.vehicle))
    case 'not-sold':
      return data<Reply>({ problem: returnMessages.notSold }, { status: 409 })
    case 'too-many':
      return data<Reply>({ problem: returnMessages.tooManyCarts }, { status: 429 })
  }
}

async function requireReturn({ app, order }: Pick<Own, 'app' | 'order'>, url: URL) {
  const asked = url.searchParams.get('return')
  const view = (await listOrderReturns(app.db, order.id)).find(({ id }) => String(id) === asked)
  if (!view) throw new Response(null, { status: 404 })
  return view
}

/** The form again, with a message for each field. */
function faulty(fields: URLSearchParams, errors: Record<string, string>): FormReply {
  return { values: Object.fromEntries(fields), errors }
}

export default function ReturnPage({ loaderData, actionData }: Route.ComponentProps) {
  const reply: Reply = actionData ?? {}
  const view = reply.ask ?? loaderData.ask
  return (
    <div className="wrap order-page return-page">
      {view ? <ReturnForm view={view} reply={reply.form} /> : null}
      {loaderData.result ? <ReturnResult view={loaderData.result} problem={reply.problem} /> : null}
    </div>
  )
}
