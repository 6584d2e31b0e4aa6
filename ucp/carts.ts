/** Agents' carts, with prices before the fulfillment is known. */
import { applyAbout, priceView, readZip } from '#ucp/about.ts'
import { envelope, failed, notFound, type Message, type UcpAnswer } from '#ucp/answers.ts'
import type { UcpContext } from '#ucp/context.ts'
import { extensionVersions } from '#ucp/extensions.ts'
import { adopted, ownSession } from '#ucp/linking.ts'
import { readVehicle } from '#ucp/fitment.ts'
import { cartInput, read } from '#ucp/input.ts'
import { makeCart, replaceLines } from '#ucp/lines.ts'
import { cancelSession, keepSaid, openSession } from '#domain/channels/agents/agents.server.ts'
import { sessionState, type AgentSession } from '#domain/channels/agents/agents.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'

export async function createCart(context: UcpContext, input: unknown): Promise<UcpAnswer> {
  const asked = read(cartInput, input)
  const { agent, app } = context
  const { zip } = await readZip(context, asked.context ?? {}, '$.context.postal_code')
  const vehicle = (await readVehicle(context, asked.fitment))?.chosen ?? null
  const made = await makeCart(context, { lines: asked.line_items, zip, vehicle })
  if (!made.ok) return failed(context, made.detail)
  const { platform, version } = agent
  const opened = await openSession(app, {
    kind: 'cart',
    cartId: made.value,
    accountId: null,
    platform,
    version,
    webhookUrl: null,
  })
  if (!opened.ok) throw new Error('A new cart has a session already.')
  const session = await adopted(context, opened.value)
  const cart = await findCart(app, made.value)
  const messages = cart ? await applyAbout(context, cart, asked) : []
  return cartAnswer(context, session, messages, 201)
}

export async function readCart(context: UcpContext, id: string): Promise<UcpAnswer> {
  const session = await openOf(context, id)
  return session ? cartAnswer(context, session, []) : notFound(context, 'cart')
}

export async function updateCart(context: UcpContext, id: string, input: unknown): Promise<UcpAnswer> {
  const asked = read(cartInput, input)
  const found = await openOf(context, id)
  const session = found && (await adopted(context, found))
  const cart = session && (await findCart(context.app, session.cartId))
  if (!session || !cart) return notFound(context, 'cart')
  const messages = await replaceLines(context, cart.id, asked.line_items)
  if (messages.length === 0) messages.push(...(await applyAbout(context, cart, asked)))
  return cartAnswer(context, await keepSaid(context.app, session, {}), messages)
}

export async function cancelCart(context: UcpContext, id: string): Promise<UcpAnswer> {
  const session = await openOf(context, id)
  if (!session) return notFound(context, 'cart')
  const answer = await cartAnswer(context, session, [])
  await cancelSession(context.app, session)
  return answer
}

/** The cart's session while it is open and of this platform. */
export async function openOf(context: UcpContext, id: string): Promise<AgentSession | undefined> {
  const session = await ownSession(context, { id, kind: 'cart' })
  return session && sessionState(session, context.app.clock.now()) === 'open' ? session : undefined
}

async function cartAnswer(
  context: UcpContext,
  session: AgentSession,
  messages: readonly Message[],
  status: 200 | 201 = 200,
): Promise<UcpAnswer> {
  const cart = await findCart(context.app, session.cartId)
  if (!cart) return notFound(context, 'cart')
  const priced = await priceView(context, cart)
  return {
    status,
    body: {
      ucp: envelope(context, extensionVersions(context)),
      id: session.id,
      ...priced.body,
      messages: [...messages, ...priced.messages],
      expires_at: session.expiresAt.toString(),
    },
  }
}
