/** Tools that book a service without tires at a shop. */
import { z } from 'zod'
import { perform } from '#api/perform.ts'
import { serviceKey, serviceTimes, shopCode, shopService } from '#api/routes/shops.ts'
import { idempotencyKey } from '#mcp/arguments.ts'
import { told, tool } from '#mcp/tool.ts'
import { formatCents } from '#platform/money.ts'
import { countOrNone } from '#platform/count-text.ts'

const shop = shopCode.meta({ description: 'The code of a shop, as find_shops returned it', examples: ['SW-00001'] })
const units = z.int().min(1).max(8).default(1).meta({ description: 'Tires, for a service that is priced by tire' })
const shopServices = z.object({ services: z.array(shopService) })
const madeCart = z.object({ key: z.string(), cart: z.object({ shopId: z.int() }) })

export const serviceTools = [
  tool({
    name: 'list_service_times',
    title: 'List services and their times',
    description:
      'Services that a shop offers without new tires, such as a rotation or a seasonal changeover with storage, with prices before tax. With service also its free times. Book one with create_service_cart. Services of vans are booked by phone.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({ shop, service: serviceKey.optional(), units }),
    output: z.strictObject({ services: z.array(shopService), times: serviceTimes.nullable() }),
    async run(call, { shop: code, service, units: of }) {
      const found = await perform('readShop', shopServices, { params: { code } }, call)
      if (!found.ok) return found
      const { services } = found.value
      if (service === undefined)
        return told({ services, times: null }, `${countOrNone(services.length, 'service')} at this shop.`)
      const query = { service, units: of }
      const times = await perform('listServiceTimes', serviceTimes, { params: { code }, query }, call)
      if (!times.ok) return times
      const { openings, priceCents } = times.value
      return told(
        { services, times: times.value },
        `${countOrNone(openings.length, 'free time')}, ${formatCents(priceCents)} before tax.`,
      )
    },
  }),
  tool({
    name: 'create_service_cart',
    title: 'Create a cart with a service',
    description:
      'Puts a service without tires in a new cart and returns its cartKey. Hold a time with hold_appointment and the shopId, then give the person get_checkout_link. A cart has tires or one service.',
    audience: 'anyone',
    effect: 'change',
    scope: 'orders:write',
    input: z.strictObject({ shop, service: serviceKey, units, idempotencyKey }),
    output: z.strictObject({ cartKey: z.string(), shopId: z.int() }),
    async run(call, { idempotencyKey: onceKey, ...service }) {
      const made = await perform('createCheckout', madeCart, { body: { service }, onceKey }, call)
      if (!made.ok) return made
      const { key, cart } = made.value
      return told({ cartKey: key, shopId: cart.shopId }, 'The service is in the cart. No time is held yet.')
    },
  }),
]
