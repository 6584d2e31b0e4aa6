/** Tools for fitment, installers, and prices. */
import { z } from 'zod'
import { perform } from '#api/perform.ts'
import { problem } from '#api/problem.ts'
import { installedPrices, verdict } from '#api/routes/articles.ts'
import { cartPrice } from '#api/routes/checkout.ts'
import { nearbyShop } from '#api/routes/shops.ts'
import { level, zip } from '#api/schemas.ts'
import { worst } from '#domain/catalog/fitment/fitment.ts'
import { countOf, countOrNone } from '#platform/count-text.ts'
import { cartKey, itemId, quantity, vehicle } from '#mcp/arguments.ts'
import { told, tool, withCart } from '#mcp/tool.ts'
import { outTheDoor } from '#mcp/words.ts'

const axleVerdict = z.strictObject({
  axle: z.enum(['front', 'rear']),
  verdict: level,
  reasons: z.array(z.strictObject({ rule: z.string(), level, text: z.string() })),
})
const axles = ['front', 'rear'] as const

type Findings = z.output<typeof verdict>['findings']

/** Findings about the set as a whole hold on both axles. */
function byAxle(findings: Findings): z.input<typeof axleVerdict>[] {
  return axles.map((axle) => {
    const reasons = findings.filter((finding) => finding.axle === axle || finding.axle === 'set')
    return {
      axle,
      verdict: worst(reasons.map((reason) => reason.level)),
      reasons: reasons.map(({ rule, level: of, text }) => ({ rule, level: of, text })),
    }
  })
}

export const judgingTools = [
  tool({
    name: 'check_fitment',
    title: 'Check fitment',
    description:
      'Whether a full set fits a vehicle: fits, fits_with_conditions, unknown or does_not_fit, for the set and axle by axle, with the reasons. Conditions must be shown to the person, who accepts them on the store’s page; you cannot accept them. Nothing that is unknown is ever called a fit.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({
      vehicle,
      itemId,
      rearItemId: itemId.optional().meta({ description: 'The rear article, if different', examples: undefined }),
    }),
    output: verdict.extend({ axles: z.array(axleVerdict) }),
    async run(call, { vehicle: on, itemId: item, rearItemId: rearItem }) {
      const judged = await perform('judgeFitment', verdict, { query: { vehicle: on, item, rearItem } }, call)
      if (!judged.ok) return judged
      const { headline, lines, findings } = judged.value
      return told({ ...judged.value, axles: byAxle(findings) }, [headline, ...lines].join('\n'))
    },
  }),
  tool({
    name: 'find_shops',
    title: 'Find installers',
    description:
      'Shops that install tires near a ZIP, or vans that come to it, nearest first within 50 miles, with address, rating and time zone.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({
      zip,
      kind: z.enum(['shop', 'van']).default('shop').meta({ description: 'A van comes to the car' }),
      limit: z.int().min(1).max(50).default(10),
    }),
    output: z.strictObject({ shops: z.array(nearbyShop) }),
    async run(call, query) {
      const listed = await perform('listShops', z.array(nearbyShop), { query }, call)
      if (!listed.ok) return listed
      const [first] = listed.value
      const nearest = first ? ` Nearest: ${first.name}, ${first.city}, ${countOf(first.miles, 'mile')}.` : ''
      return told(
        { shops: listed.value },
        `${countOrNone(listed.value.length, query.kind)} near ${query.zip}.${nearest}`,
      )
    },
  }),
  tool({
    name: 'out_the_door_price',
    title: 'Price out the door',
    description:
      'Total cost with installation, fees, and tax, line by line, as shown in the store. Send a cartKey for the price of a cart (an estimate at the nearest shop until a time is held), or itemId and zip for tires installed at the nearest shops. Show the lines as they are and never compute them anew.',
    audience: 'anyone',
    effect: 'read',
    input: z.strictObject({
      cartKey: cartKey.optional(),
      itemId: itemId.optional(),
      rearItemId: itemId.optional().meta({ description: 'The rear article of a staggered set', examples: undefined }),
      quantity: quantity.default(4),
      zip: zip.optional(),
      shops: z.int().min(1).max(8).default(3).meta({ description: 'How many shops, nearest first' }),
    }),
    output: z.strictObject({ cart: cartPrice.nullable(), installed: installedPrices }),
    async run(call, { cartKey: key, itemId: item, rearItemId, quantity: of, zip: at, shops }) {
      if (key !== undefined) {
        if (item !== undefined || at !== undefined)
          return problem('BadRequest', 'Send a cartKey, or itemId and zip, not both.')
        const priced = await perform('priceCart', cartPrice, {}, withCart(call, key))
        return priced.ok ? told({ cart: priced.value, installed: [] }, cartText(priced.value)) : priced
      }
      if (item === undefined || at === undefined) return problem('BadRequest', 'Send a cartKey, or itemId and zip.')
      const query = { zip: at, quantity: of, rearItem: rearItemId, shops }
      const priced = await perform('priceInstalled', installedPrices, { params: { itemId: item }, query }, call)
      if (!priced.ok) return priced
      const text = priced.value.map(({ shop, totalCents }) => `${shop.name}, ${shop.city}: ${outTheDoor(totalCents)}.`)
      return told({ cart: null, installed: priced.value }, text.join('\n') || 'No shop near this ZIP installs them.')
    },
  }),
]

function cartText({ basis, totals, shop, notes, problems }: z.output<typeof cartPrice>): string {
  const price = totals
    ? `${outTheDoor(totals.totalCents)}${shop ? ` at ${shop.name}` : ''}${basis === 'estimate' ? ', an estimate until a time is held' : ''}.`
    : 'This cart has no price yet.'
  return [price, ...notes, ...problems.map(({ message }) => message)].join('\n')
}
