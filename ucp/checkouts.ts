/**
 * Agents' checkouts. They are our cart and its steps. Only a person can accept the terms and fitment conditions, and
 * pay, so these steps continue on our own pages.
 */
import { applyAbout, priceView, readZip, type Priced } from '#ucp/about.ts'
import { envelope, error, failed, notFound, type Message, type UcpAnswer } from '#ucp/answers.ts'
import { addressSaid, applyBuyer, buyerView, saidIn } from '#ucp/buyer.ts'
import { openOf } from '#ucp/carts.ts'
import { has, type UcpContext } from '#ucp/context.ts'
import { extensionVersions } from '#ucp/extensions.ts'
import { conditionsOf, readVehicle } from '#ucp/fitment.ts'
import { applyFulfillment, fulfillmentView } from '#ucp/fulfillment.ts'
import { checkoutInput, completeInput, read, type CheckoutInput } from '#ucp/input.ts'
import { makeCart, replaceLines } from '#ucp/lines.ts'
import { adopted, ownSession } from '#ucp/linking.ts'
import { orderPermalink } from '#ucp/orders.ts'
import { capabilityNames, paymentHandlers } from '#ucp/profile.ts'
import { acceptances, completeInSandbox, isSandboxPlatform } from '#ucp/sandbox-complete.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import {
  cancelSession,
  handoverToken,
  keepSaid,
  openSession,
  preparedCart,
} from '#domain/channels/agents/agents.server.ts'
import { sessionState, type AgentSession } from '#domain/channels/agents/agents.ts'
import { releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { findCart, readCart } from '#domain/payments/cart/cart.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'

type Status = 'incomplete' | 'requires_escalation' | 'ready_for_complete' | 'completed' | 'canceled'

export async function createCheckout(context: UcpContext, input: unknown): Promise<UcpAnswer> {
  const asked = read(checkoutInput, input)
  const { agent, app } = context
  const cartId = asked.cart_id === undefined ? await newCart(context, asked) : await cartOf(context, asked.cart_id)
  if (typeof cartId !== 'string') return cartId
  const { platform, version, webhookUrl } = agent
  const session = await openSession(app, { kind: 'checkout', cartId, accountId: null, platform, version, webhookUrl })
  if (!session.ok || !isReadableBy(context, session.value)) return notFound(context, 'cart')
  if (sessionState(session.value, app.clock.now()) === 'handed-over')
    return checkoutAnswer(context, session.value, [handedOver])
  // An existing cart's lines don't change, regardless of the request.
  return applied(context, await adopted(context, session.value), { ...asked, line_items: [] }, 201)
}

/** The checkout that a cart has already may be an account's. */
function isReadableBy({ account }: UcpContext, { accountId }: AgentSession): boolean {
  return accountId === null || accountId === account?.accountId
}

async function newCart(context: UcpContext, asked: CheckoutInput): Promise<string | UcpAnswer> {
  if (asked.line_items.length === 0)
    return failed(context, [error('line_items_required', 'Send line_items.', 'recoverable', '$.line_items')])
  const { zip } = await readZip(context, asked.context ?? {}, '$.context.postal_code')
  const vehicle = (await readVehicle(context, asked.fitment))?.chosen ?? null
  const made = await makeCart(context, { lines: asked.line_items, zip, vehicle })
  return made.ok ? made.value : failed(context, made.detail)
}

async function cartOf(context: UcpContext, id: string): Promise<string | UcpAnswer> {
  const session = await openOf(context, id)
  return session?.cartId ?? notFound(context, 'cart')
}

export async function readCheckout(context: UcpContext, id: string): Promise<UcpAnswer> {
  const session = await sessionOf(context, id)
  return session ? checkoutAnswer(context, session, []) : notFound(context, 'checkout')
}

/** Applies all submitted values. Checkouts that continue on our pages or are complete aren't changed. */
export async function updateCheckout(context: UcpContext, id: string, input: unknown): Promise<UcpAnswer> {
  const asked = read(checkoutInput, input)
  const session = await sessionOf(context, id)
  if (!session) return notFound(context, 'checkout')
  const refusal = await whyFixed(context, session)
  return refusal
    ? checkoutAnswer(context, session, [refusal])
    : applied(context, await adopted(context, session), asked, 200)
}

/**
 * Agents can't complete a checkout. The response contains the person's remaining steps and their URL. The exception is
 * the sandbox's own platform in a demo.
 */
export async function completeCheckout(context: UcpContext, id: string, input: unknown): Promise<UcpAnswer> {
  const session = await sessionOf(context, id)
  if (!session) return notFound(context, 'checkout')
  if (!isSandboxPlatform(context)) return checkoutAnswer(context, session, [])
  const asked = read(completeInput, input)
  const refusal = await whyFixed(context, session)
  if (refusal) return checkoutAnswer(context, session, [refusal])
  return checkoutAnswer(context, session, await completeInSandbox(context, await adopted(context, session), asked))
}

export async function cancelCheckout(context: UcpContext, id: string): Promise<UcpAnswer> {
  const session = await sessionOf(context, id)
  if (!session) return notFound(context, 'checkout')
  const refusal = await whyFixed(context, session)
  if (refusal) return checkoutAnswer(context, session, [refusal])
  const { app } = context
  if (await cancelSession(app, session)) await releaseHold(app, { cartId: session.cartId })
  const now = await sessionOf(context, id)
  return now ? checkoutAnswer(context, now, []) : notFound(context, 'checkout')
}

function sessionOf(context: UcpContext, id: string): Promise<AgentSession | undefined> {
  return ownSession(context, { id, kind: 'checkout' })
}

const handedOver = error('handed_over', 'The buyer finishes this checkout in the browser.', 'requires_buyer_review')

/** Returns why the platform can no longer make changes, or undefined if it can. */
async function whyFixed({ app }: UcpContext, session: AgentSession): Promise<Message | undefined> {
  const cart = await readCart(app, session.cartId)
  if (cart?.state === 'ordered') return error('already_completed', 'This checkout is completed.', 'unrecoverable')
  switch (sessionState(session, app.clock.now())) {
    case 'over':
      return error('canceled', 'This checkout is over. Create a new one.', 'unrecoverable')
    case 'handed-over':
      return handedOver
    case 'open':
      return undefined
  }
}

async function applied(
  context: UcpContext,
  session: AgentSession,
  asked: CheckoutInput,
  status: 200 | 201,
): Promise<UcpAnswer> {
  const { app } = context
  const messages: Message[] = []
  if (asked.line_items.length > 0) messages.push(...(await replaceLines(context, session.cartId, asked.line_items)))
  const kept = await keepSaid(app, session, saidIn(asked, session.said))
  const address = addressSaid(kept.said)
  const sentContext = asked.context?.postal_code === undefined ? { ...address, ...asked.context } : asked.context
  for (const step of [
    (cart: Cart) => applyAbout(context, cart, { ...asked, context: { ...asked.context, ...placeOf(sentContext) } }),
    (cart: Cart) => (has(context, capabilityNames.fulfillment) ? applyFulfillment(context, cart, asked) : noMessages()),
    (cart: Cart) => applyBuyer(context, cart, kept.said),
  ]) {
    const cart = await findCart(app, session.cartId)
    if (cart) messages.push(...(await step(cart)))
  }
  return checkoutAnswer(context, kept, messages, { status, within: asked.appointment })
}

const noMessages = (): Promise<Message[]> => Promise.resolve([])

function placeOf(place: { postal_code?: string | undefined; address_country?: string | undefined }) {
  const { postal_code, address_country } = place
  return {
    ...(postal_code !== undefined && { postal_code }),
    ...(address_country !== undefined && { address_country }),
  }
}

async function checkoutAnswer(
  context: UcpContext,
  session: AgentSession,
  messages: readonly Message[],
  { status = 200, within }: { status?: 200 | 201; within?: CheckoutInput['appointment'] } = {},
): Promise<UcpAnswer> {
  const { app } = context
  const cart = await shownCart(context, session)
  if (!cart) return { status, body: withoutCart(context, session, messages) }
  const priced = await priceView(context, cart)
  const isOpen = cart.state === 'open' && sessionState(session, app.clock.now()) !== 'over'
  const delivery = await deliveryOf(context, session, cart, { priced, within, isOpen })
  const all = isOpen
    ? [
        ...messages,
        ...priced.messages,
        ...(delivery?.messages ?? []),
        ...fitSteps(cart, priced),
        ...personalSteps(context, priced),
      ]
    : messages
  const body = {
    ...base(context, session, statusOf(context, session, cart, all)),
    ...priced.body,
    ...(delivery && {
      fulfillment: delivery.member,
      ...(delivery.appointment && { appointment: delivery.appointment }),
    }),
    messages: unique(all),
    ...(isOpen && { continue_url: continueUrl(context, session), expires_at: session.expiresAt.toString() }),
    ...(cart.orderId !== null && {
      order: {
        id: session.id,
        label: orderNumber(cart.orderId),
        permalink_url: orderPermalink(app),
      },
    }),
  }
  return { status, body }
}

/** Returns the order's cart, or the agent's prepared cart, without a later guest's changes. */
async function shownCart({ app }: UcpContext, session: AgentSession): Promise<Cart | undefined> {
  const prepared = await preparedCart(app, session)
  const cart = await readCart(app, prepared ?? session.cartId)
  return prepared !== undefined || cart?.state === 'ordered' ? cart : undefined
}

async function deliveryOf(
  context: UcpContext,
  session: AgentSession,
  cart: Cart,
  { priced, within, isOpen }: { priced: Priced; within: CheckoutInput['appointment']; isOpen: boolean },
) {
  if (!isOpen || !has(context, capabilityNames.fulfillment)) return undefined
  return fulfillmentView(context, cart, { quote: priced.quote, address: addressSaid(session.said), within })
}

/** What every answer about a checkout has. */
function base(context: UcpContext, session: AgentSession, status: Status): object {
  const { origin } = context.app.config.web
  return {
    ucp: {
      ...envelope(context, extensionVersions(context)),
      payment_handlers: isSandboxPlatform(context) ? paymentHandlers(context.app) : {},
    },
    id: session.id,
    status,
    buyer: buyerView(context, session.said),
    links: [
      { type: 'terms_of_service', url: origin + paths.termsOfSale() },
      { type: 'privacy_policy', url: origin + paths.written('privacy-policy') },
    ],
  }
}

/** The cart became one of an account in the browser, or is forgotten: only its owner sees it. */
function withoutCart(
  context: UcpContext,
  session: AgentSession,
  messages: readonly Message[],
): Record<string, unknown> {
  const isOver = sessionState(session, context.app.clock.now()) === 'over'
  const zero = [
    { type: 'subtotal', amount: 0 },
    { type: 'total', amount: 0 },
  ]
  return {
    ...base(context, session, isOver ? 'canceled' : 'requires_escalation'),
    line_items: [],
    currency: 'USD',
    totals: zero,
    messages: [...messages, ...(isOver ? [] : [handedOver])],
    ...(!isOver && { continue_url: `${context.app.config.web.origin}${paths.cart()}` }),
  }
}

function statusOf(context: UcpContext, session: AgentSession, cart: Cart, messages: readonly Message[]): Status {
  if (cart.state === 'ordered') return 'completed'
  const state = sessionState(session, context.app.clock.now())
  if (state === 'over') return 'canceled'
  if (state === 'handed-over') return 'requires_escalation'
  const errors = messages.filter((each) => each.type === 'error')
  if (errors.some(({ severity }) => severity === 'recoverable')) return 'incomplete'
  return errors.length > 0 ? 'requires_escalation' : 'ready_for_complete'
}

/** Whether the tires fit, and what that depends on. */
function fitSteps(cart: Cart, { verdict }: Priced): Message[] {
  const steps: Message[] = []
  const isInstalled = cart.fulfillment === null || isInstallation(cart.fulfillment)
  for (const [index, set] of (verdict?.sets ?? []).entries()) {
    const path = `$.fitment.sets[${index}]`
    if (set.verdict === 'does_not_fit' && isInstalled)
      steps.push(
        error('does_not_fit', `${set.headline}. We do not install tires that do not fit.`, 'recoverable', path),
      )
    else if (set.verdict !== 'fits')
      steps.push({
        type: 'warning',
        code: `fitment_${set.verdict}`,
        content: set.headline,
        path,
        presentation: 'notice',
      })
  }
  const conditions = verdict ? conditionsOf(verdict) : []
  for (const { text } of conditions)
    steps.push({ type: 'warning', code: 'fit_condition', content: text, path: '$.fitment', presentation: 'disclosure' })
  return steps
}

/** Returns the person's remaining steps in our pages' order. The sandbox's platform requests them itself. */
function personalSteps(context: UcpContext, { verdict }: Priced): Message[] {
  if (isSandboxPlatform(context)) return []
  const hasConditions = verdict !== undefined && conditionsOf(verdict).length > 0
  return [
    ...(hasConditions ? [acceptances.fit_conditions] : []),
    acceptances.terms_of_sale,
    error('payment', 'The buyer pays in our checkout.', 'requires_buyer_input'),
  ]
}

function unique(messages: readonly Message[]): Message[] {
  return [...new Map(messages.map((each) => [JSON.stringify(each), each])).values()]
}

function continueUrl({ app }: UcpContext, session: AgentSession): string {
  const {
    web,
    session: { secret },
  } = app.config
  return web.origin + serverPaths.agentCheckout(handoverToken(secret, session, app.clock.now()))
}
