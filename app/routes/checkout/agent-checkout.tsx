import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { applicationContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { AgentSession } from '#domain/channels/agents/agents.ts'
import { readHandover, takeOver, type HandoverRefusal } from '#domain/channels/agents/agents.server.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { mustAskFirst, readCartForYou, rememberCart } from './cart-for-you.server.ts'
import { CartForYou, ClosedLink } from './cart-for-you.tsx'
import type { Application } from '#application'
import type { Route } from './+types/agent-checkout.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your checkout',
    description: 'Finish what your assistant prepared.',
    path: paths.cart(),
    isIndexed: false,
  })

/** Read-only, because assistants and mail programs prefetch links. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const found = await readHandover(app, { secret: app.config.session.secret, token: params.token })
  if (!found.ok) return refusalView(found.reason)
  const cart = await findCart(app, found.value.cartId)
  if (!cart) return refusalView(await whyUnseen(app, found.value), serverPaths.agentCheckout(params.token))
  return {
    refusal: null,
    platform: new URL(found.value.platform).hostname,
    shown: await readCartForYou(context, cart),
  }
}

/** Opens the cart in this browser. The link can't be used again. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const link = { secret: app.config.session.secret, token: params.token }
  const found = await readHandover(app, link)
  if (!found.ok) return refusalView(found.reason)
  if (!(await findCart(app, found.value.cartId)))
    return refusalView(await whyUnseen(app, found.value), serverPaths.agentCheckout(params.token))
  if (await mustAskFirst(context, await readForm(request), found.value.cartId))
    return data({ refusal: null, mustAsk: true }, { status: 409 })
  const taken = await takeOver(app, link)
  const cart = taken.ok ? await findCart(app, taken.value.cartId) : undefined
  if (!taken.ok || !cart) return refusalView(taken.ok ? 'over' : taken.reason)
  return seeOther(
    cart.fulfillment === null ? paths.cart() : paths.checkoutShipping(),
    rememberCart(context, cart.id, cart),
  )
}

/** Returns why this visitor can't see a valid link's cart. It's already ordered, or it belongs to another account. */
async function whyUnseen(app: Application, { accountId }: AgentSession): Promise<Why> {
  if (accountId === null) return 'over'
  const visitor = await app.buyer.accountId()
  return visitor === null ? 'signed-out' : visitor === accountId ? 'over' : 'others'
}

type Why = HandoverRefusal['reason'] | 'signed-out' | 'others'
const refusals: Readonly<Record<Why, { status: number; title: string; text: string }>> = {
  'not-found': { status: 404, title: 'This link opens no checkout', text: 'Ask your assistant for the link again.' },
  over: {
    status: 410,
    title: 'This link was used or has expired',
    text: 'Each link opens its checkout once, within the hour. Ask your assistant for a new one.',
  },
  'signed-out': {
    status: 401,
    title: 'Sign in to finish your checkout',
    text: 'Your assistant prepared it for your account, at your prices.',
  },
  others: {
    status: 403,
    title: 'This checkout is of another account',
    text: 'You are signed in to an account other than the one that the assistant prepared it for.',
  },
}

function refusalView(reason: Why, back?: string) {
  const { status, title, text } = refusals[reason]
  const next = reason === 'signed-out' ? { href: paths.signIn(back), label: 'Sign in' } : undefined
  return data({ refusal: { title, text, ...(next && { next }) }, mustAsk: false }, { status })
}

export default function AgentCheckoutPage({ loaderData, actionData }: Route.ComponentProps) {
  const refusal = actionData?.refusal ?? loaderData.refusal
  if (refusal) return <ClosedLink {...refusal} />
  if (loaderData.refusal !== null) return null
  return (
    <CartForYou
      shown={loaderData.shown}
      heading="Finish your checkout"
      by={`An assistant at ${loaderData.platform}`}
      button="Continue"
      after="The link works once. From here on, only you can change the cart. The assistant can see the items in your order, but not what you enter or your payment."
      mustAsk={actionData?.mustAsk ?? false}
    />
  )
}
