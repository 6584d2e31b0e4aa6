/** Parts that are sold with tires, and the ones in a cart. */
import { z } from 'zod'
import { changeCart, changedCart, changeRefusals, etagHeader } from '#api/carts.ts'
import { answer, operation } from '#api/operation.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf, cents, vehicleKey } from '#api/schemas.ts'
import { fittedVehicle } from '#domain/ordering/checkout/checkout.server.ts'
import { maxQuantityPerLine, partSku, type Cart } from '#domain/payments/cart/cart.ts'
import { setPart } from '#domain/payments/cart/cart.server.ts'
import { listPartsForSale } from '#domain/supply/parts/parts.server.ts'
import { partKindOf, partName } from '#domain/supply/parts/parts.ts'
import type { Application } from '#application'

const sku = partSku.meta({ description: 'The SKU of a part', examples: ['HS-433-M'] })
const quantity = z
  .int()
  .min(0)
  .max(maxQuantityPerLine)
  .meta({ description: 'Its units in all; 0 removes it', examples: [4] })

/** Parts as `createCheckout` takes them. */
export const partsBody = z
  .array(z.strictObject({ sku, quantity }))
  .min(1)
  .max(20)
  .meta({ examples: [[{ sku: 'HS-433-M', quantity: 4 }]] })

/** Sets parts of a cart in order. The refusal names the first part that isn't sold in its quantity. */
export async function takeParts(
  app: Application,
  cart: Pick<Cart, 'id'>,
  parts: z.output<typeof partsBody>,
): Promise<{ ok: true; value: null } | Problem<'NotSold'>> {
  for (const part of parts) {
    const set = await setPart(app, cart.id, part)
    if (!set.ok) return problem('NotSold', 'This part isn’t sold in this quantity.', { data: { sku: part.sku } })
  }
  return { ok: true, value: null }
}

export const partOperations = [
  operation({
    id: 'listParts',
    method: 'get',
    path: '/parts',
    area: 'Catalog',
    summary: 'List parts that are sold with tires',
    description: 'Parts for sale with available units, such as tire pressure sensors, by kind and price.',
    audience: 'anyone',
    query: z.strictObject({ vehicle: vehicleKey.optional() }),
    result: z.strictObject({
      parts: z.array(
        z.strictObject({
          sku: z.string(),
          kind: z.string().meta({ examples: ['tpms-sensor'] }),
          kindName: z.string(),
          name: z.string(),
          facts: z.record(z.string(), z.string()).meta({ examples: [{ frequency: '433', valve: 'metal' }] }),
          unitCents: cents,
          maxQuantity: z.int().meta({ description: 'The most units in one order' }),
          fit: z.enum(['fits', 'does-not-fit', 'unknown']).meta({ description: '`unknown` parts can be bought' }),
          fitText: z.string(),
        }),
      ),
    }),
    async handle({ app, query }) {
      const [parts, vehicle] = await Promise.all([listPartsForSale(app), fittedVehicle(app, query.vehicle ?? null)])
      return answer({
        parts: parts.flatMap((part) => {
          const kind = partKindOf(part.kind)
          if (!kind) return []
          const fit = kind.fit(vehicle)
          return [
            {
              sku: part.sku,
              kind: kind.key,
              kindName: kind.name,
              name: partName(part),
              facts: part.facts,
              unitCents: part.priceCents,
              maxQuantity: kind.mostUnits,
              fit: fit.result,
              fitText: fit.text,
            },
          ]
        }),
      })
    },
  }),
  operation({
    id: 'setPart',
    method: 'put',
    path: '/cart/parts/{sku}',
    area: 'Cart',
    summary: 'Set how many of a part a cart has',
    description: 'The cart needs tires, which the part is packed with.',
    audience: 'cart',
    ifMatch: 'optional',
    params: z.strictObject({ sku }),
    body: bodyOf({ quantity }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'NotSold'],
    handle(call) {
      return changeCart(call, async (app, cart) => {
        const taken = await takeParts(app, cart, [{ sku: call.params.sku, quantity: call.body.quantity }])
        return taken.ok ? undefined : taken
      })
    },
  }),
]
