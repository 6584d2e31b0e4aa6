import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { applicationContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { findCart, openCartLink, readCartLink, type LinkRefusal } from '#domain/payments/cart/cart.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { mustAskFirst, readCartForYou, rememberCart } from './cart-for-you.server.ts'
import { CartForYou, ClosedLink } from './cart-for-you.tsx'
import type { Route } from './+types/open-cart.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'A cart for you',
    description: 'Tires that an assistant put in a cart for you.',
    path: paths.cart(),
    isIndexed: false,
  })

/** Read-only, because mail and chat programs prefetch links. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const link = await readCartLink(app, params.token)
  if (!link.ok) return refusalView(link.reason)
  const cart = await findCart(app, link.value.cartId)
  if (!cart || cart.lines.length === 0) return refusalView('empty')
  return { refusal: null, shown: await readCartForYou(context, cart) }
}

/** Takes over the cart, after a confirmation if the visitor's cart has tires. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const link = await readCartLink(app, params.token)
  if (!link.ok) return refusalView(link.reason)
  if (await mustAskFirst(context, await readForm(request), link.value.cartId))
    return data({ refusal: null, mustAsk: true }, { status: 409 })
  const cart = await findCart(app, link.value.cartId)
  if (!cart) return refusalView('empty')
  const opened = await openCartLink(app, params.token)
  if (!opened.ok) return refusalView(opened.reason)
  return seeOther(paths.cart(), rememberCart(context, opened.value.cartId, cart))
}

const refusals: Readonly<Record<LinkRefusal['reason'], { status: number; title: string; text: string }>> = {
  'not-found': { status: 404, title: 'This link opens no cart', text: 'Ask your assistant for a new link.' },
  expired: { status: 410, title: 'This link has expired', text: 'Ask your assistant for a new link.' },
  opened: {
    status: 410,
    title: 'This link was used',
    text: 'Each link opens once. If you opened it in this browser, your cart has the tires.',
  },
  empty: {
    status: 410,
    title: 'This cart is empty',
    text: 'Its tires were ordered or taken out. If it belongs to your account, sign in and open the link again.',
  },
}

function refusalView(reason: LinkRefusal['reason']) {
  const { status, title, text } = refusals[reason]
  return data({ refusal: { title, text }, mustAsk: false }, { status })
}

export default function OpenCartPage({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData?.refusal ?? loaderData.refusal
  if (refusal) return <ClosedLink {...refusal} />
  if (loaderData.refusal !== null) return null
  return (
    <CartForYou
      shown={loaderData.shown}
      heading="A cart for you"
      by="An assistant"
      button="Open this cart"
      after="The link works once. Your assistant does not see what you enter from here on."
      mustAsk={actionData?.mustAsk ?? false}
    />
  )
}
