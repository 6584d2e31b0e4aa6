/**
 * Calls of a military exchange's program, which names its customer in a header and itself by `channel` and its secret:
 * everything it is answered is at the exchange's price, and the carts it fills are the exchange's.
 */
import { headerNames } from '#api/client/request.ts'
import type { Caller } from '#api/caller.ts'
import type { Operation } from '#api/operation.ts'
import { problem, type CommonCode, type Problem } from '#api/problem.ts'
import {
  findExchange,
  findExchangeCart,
  noteExchangeCart,
  type ExchangeCart,
  type PurchasingSystem,
} from '#domain/channels/purchasing/purchasing.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** The value of `channel` in a call of an exchange's program. */
export const exchangeChannel = 'military-exchange'
const mostCustomer = 60

/** A calling exchange with its customer and that customer's cart. */
export type ExchangeCall = { system: PurchasingSystem; customerId: string | null; cart: ExchangeCart | null }

/** Returns the exchange that calls, null for any other caller, or why the call is refused. */
export async function exchangeOf(
  { audience }: Pick<Operation, 'audience'>,
  app: Application,
  { exchangeKey, exchangeCustomer, cartId, accessToken }: Caller,
  channel: string | null,
): Promise<{ ok: true; value: ExchangeCall | null } | Problem<CommonCode>> {
  if (channel !== exchangeChannel)
    return exchangeKey === undefined
      ? { ok: true, value: null }
      : problem('Unauthorized', `A key of an exchange is for calls with channel=${exchangeChannel}.`)
  const system = exchangeKey === undefined ? undefined : await findExchange(app, exchangeKey)
  if (!system) return problem('Unauthorized', 'An exchange proves itself with the secret that we issued.')
  if (accessToken !== undefined) return problem('Forbidden', 'An exchange does not act for an account.')
  const customerId = exchangeCustomer ?? null
  if (customerId !== null && !isCustomer(customerId))
    return problem(
      'BadRequest',
      `Send ${headerNames.militaryExchangeCustomerId} with at most ${countOf(mostCustomer, 'character')}.`,
    )
  if (audience !== 'cart') return { ok: true, value: { system, customerId, cart: null } }
  if (customerId === null) return unnamed()
  const cart = cartId === undefined ? undefined : await findExchangeCart(app, cartId)
  return cart?.companyId === system.companyId && cart.customerId === customerId
    ? { ok: true, value: { system, customerId, cart } }
    : problem('Forbidden', 'This is not a cart of this customer of the exchange.')
}

function unnamed(): Problem<'BadRequest'> {
  return problem('BadRequest', `Send the customer in ${headerNames.militaryExchangeCustomerId}.`)
}

/** An exchange fills carts for a customer that it names. */
export function refuseUnnamed(exchange: ExchangeCall | null): Problem<'BadRequest'> | undefined {
  return exchange?.customerId === null ? unnamed() : undefined
}

/** Saves the exchange's customer with a new cart. */
export async function noteExchange(app: Application, cartId: string, exchange: ExchangeCall | null): Promise<void> {
  if (exchange?.customerId)
    await noteExchangeCart(app, cartId, { companyId: exchange.system.companyId, customerId: exchange.customerId })
}

function isCustomer(text: string): boolean {
  return text.length <= mostCustomer && /^[\x20-\x7e]+$/.test(text) && !/[<>]/.test(text)
}
