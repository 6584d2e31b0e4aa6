/** The purchase order document with which a military exchange orders a cart. */
import { z } from 'zod'
import { noCart, readOwnCart } from '#api/carts.ts'
import { headerNames } from '#api/client/request.ts'
import { exchangeChannel } from '#api/exchange.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { cents } from '#api/schemas.ts'
import { requestOrder } from '#domain/channels/purchasing/purchasing.server.ts'

const missing = {
  shipping: 'Choose delivery to an address, or a shop.',
  contact: 'There are no contact details yet.',
  time: 'Hold a time at the shop.',
} as const

export const exchangeOperations = [
  operation({
    id: 'requestExchangeOrder',
    method: 'get',
    path: '/cart/order-request',
    area: 'Checkout',
    summary: 'Get the order request of a military exchange’s cart',
    description: `For military exchange programs, which send \`channel=${exchangeChannel}\`, the secret we issued as a second bearer token, and its customer in \`${headerNames.militaryExchangeCustomerId}\`. Returns the cXML OrderRequest of the cart at the exchange’s price, billed to the exchange. Add your SharedSecret to its Sender and post it to \`/cxml\` to order: who may buy is for the exchange to know.`,
    audience: 'cart',
    query: z.strictObject({
      orderId: z
        .string()
        .trim()
        .min(1)
        .max(40)
        .meta({ description: 'The exchange’s own number of the order', examples: ['X-1001'] }),
      costCenter: z.string().trim().min(1).max(60).optional(),
    }),
    result: z.strictObject({
      document: z.string().meta({ description: 'cXML 1.2, valid against cXML.dtd' }),
      totalCents: cents.meta({ description: 'Of all lines' }),
      taxCents: cents,
    }),
    refuses: ['NoCart', 'CartIncomplete', 'CartNotForSale'],
    async handle({ app, caller, query, exchange }) {
      if (!exchange?.cart) return problem('Forbidden', 'Only a military exchange orders by its own document.')
      const cart = await readOwnCart(app, caller)
      if (!cart) return noCart()
      const requested = await requestOrder(app, cart, {
        system: exchange.system,
        origin: exchange.cart,
        to: app.config.purchasing,
        orderId: query.orderId,
        costCenter: query.costCenter ?? null,
      })
      if (requested.ok) return answer(requested.value)
      return requested.reason === 'incomplete'
        ? problem('CartIncomplete', missing[requested.detail.step], { data: requested.detail })
        : problem('CartNotForSale', 'Read the cart’s price for details about the problem.', {
            data: { problems: requested.detail.problems.map(({ kind }) => kind) },
          })
    },
  }),
]
