/** One item: its details, price, fitment and installed price. */
import { z } from 'zod'
import { paths } from '#content/paths.ts'
import { badZipMessage, zipMessages } from '#content/messages/places.ts'
import { answer, operation } from '#api/operation.ts'
import { priceRow, rowViews } from '#api/prices.ts'
import { problem } from '#api/problem.ts'
import { cents, day, instant, itemId, level, named, shopOfOffer, toTenths, vehicleKey, zip } from '#api/schemas.ts'
import { opening, openingView } from '#api/times.ts'
import { forWhom, offerView, readForWhom, shippingPerTire, tireOffer } from '#api/tires.ts'
import { labelOfPrices } from '#content/messages/price-labels.ts'
import { readOffersNear, readPlace, readShippingTo, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { offeredTires } from '#domain/catalog/offers/offers.ts'
import { findItem, findOffers, getProduct, type Product } from '#domain/catalog/catalog/catalog.server.ts'
import { specsOf, verdictOn, type Item } from '#domain/catalog/catalog/catalog.ts'
import { summarizeVerdict, type FitmentVerdict } from '#domain/catalog/fitment/fitment.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Application } from '#application'
import { COMPARED_TIRES } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'

const article = itemId.meta({ description: 'The number of an item', examples: [100001] })
const specs = z.array(z.strictObject({ name: z.string(), value: z.string(), note: z.string().nullable() }))

export const verdict = z
  .strictObject({
    verdict: level,
    headline: z.string(),
    lines: z
      .array(z.string())
      .meta({ description: 'All conditions, all reasons with the most important first, or the questions to ask' }),
    notes: z.array(z.string()),
    labelQuestion: z
      .string()
      .nullable()
      .meta({ description: 'What to check on the door label before the verdict can become `fits`' }),
    conditions: z
      .array(z.strictObject({ code: z.string(), text: z.string() }))
      .meta({ description: 'What must be shown and accepted before tires are installed' }),
    findings: z.array(z.strictObject({ rule: z.string(), axle: z.string(), level, text: z.string() })),
    passed: z.array(z.string()).meta({ description: 'The rules that were checked and passed' }),
    ruleBook: z.string(),
  })
  .meta({ id: 'Verdict' })

export const product = z
  .strictObject({
    itemId: z.int(),
    sku: z.string(),
    brand: named,
    line: named,
    type: named,
    category: named,
    about: z.string(),
    size: z.string(),
    sizeSlug: z.string(),
    unitCents: cents.meta({ description: 'Price including federal excise tax' }),
    wasCents: cents
      .nullable()
      .meta({ description: 'The price before a promotion, or the public price if the account has its own' }),
    fetCents: cents.meta({ description: 'Federal excise tax included in both prices' }),
    shippingPerTireCents: shippingPerTire,
    priceLabel: z
      .string()
      .nullable()
      .meta({
        description: 'The label of the account’s price; null for the public price',
        examples: ['Fleet price'],
      }),
    units: z.int().meta({ description: 'How many are available' }),
    specs,
    score: z.strictObject({ tenths: z.int(), band: z.string() }).nullable(),
    rebate: z.strictObject({ name: z.string(), amountCents: cents, units: z.int(), endsAt: instant }).nullable(),
    rating: z
      .strictObject({
        count: z.int(),
        overallHundredths: z.int(),
        buyAgainPercent: z.number(),
        histogram: z.array(z.int()),
        attributes: z.record(z.string(), z.number().nullable()),
      })
      .nullable(),
    photos: z
      .array(z.strictObject({ url: z.url(), description: z.string() }))
      .meta({ description: 'The item’s own, then its model’s; empty if pages show only its drawing' }),
    sizes: z
      .array(
        z.strictObject({
          itemId: z.int(),
          size: z.string(),
          sizeSlug: z.string(),
          service: z.string(),
          unitCents: cents,
          isInStock: z.boolean(),
        }),
      )
      .meta({ description: 'Every item of the line' }),
    fit: verdict.nullable().meta({ description: 'The verdict on four of this item; only with a vehicle' }),
    similar: z.array(tireOffer),
  })
  .meta({ id: 'Product' })

export const installedPrices = z.array(
  z.strictObject({
    shop: shopOfOffer,
    totalCents: cents.meta({ description: 'Out-the-door price, including tires, installation, fees, and tax' }),
    rows: z.array(priceRow),
    minutes: z.int().meta({ description: 'How long installation takes, in minutes' }),
    arrivesOn: day.nullable().meta({ description: 'When all the tires arrive at the shop' }),
    openings: z.array(opening),
  }),
)

export const articleOperations = [
  operation({
    id: 'readTire',
    method: 'get',
    path: '/tires/{itemId}',
    area: 'Catalog',
    summary: 'Get an item',
    audience: 'anyone',
    sharedSeconds: 60,
    params: z.strictObject({ itemId: article }),
    query: z.strictObject({
      vehicle: forWhom.vehicle,
      zip: zip.optional().meta({ description: 'Adds what shipping a tire there costs' }),
    }),
    result: product,
    refuses: ['NotSold', 'UnknownVehicle', 'UnknownZip'],
    async handle({ app, caller, params, query }) {
      const who = await readForWhom(app, caller.visitor, { vehicle: query.vehicle })
      if (!who.ok) return who
      if (query.zip !== undefined && !(await readPlace(app, query.zip))) return problem('UnknownZip', badZipMessage)
      const shippingTo = await readShippingTo(app, query.zip)
      const item = await findItem(app.catalog, params.itemId)
      const asked = item && {
        brandSlug: item.line.brand.slug,
        lineSlug: item.line.slug,
        itemId: item.id,
        requirement: who.value.requirement,
        vehicleName: who.value.vehicleName,
      }
      const found = asked && (await getProduct(app.catalog, asked))
      if (!found?.ok) return problem('NotSold')
      return answer(productView(app, found.value, { shippingTo, vehicle: who.value.vehicle }))
    },
  }),
  operation({
    id: 'judgeFitment',
    method: 'get',
    path: '/fitment',
    area: 'Catalog',
    summary: 'Check fitment',
    description:
      'Returns the verdict on a full set, one item on every wheel or one in front and another in the rear, with the findings of every rule. Anything not known is `unknown`, never `fits`.',
    audience: 'anyone',
    sharedSeconds: 60,
    query: z.strictObject({
      vehicle: vehicleKey,
      item: article,
      rearItem: itemId.optional().meta({ description: 'The rear item, if different' }),
    }),
    result: verdict,
    refuses: ['NotSold', 'UnknownVehicle'],
    async handle({ app, query }) {
      const [vehicle, items] = await Promise.all([
        findChosenVehicle(app, query.vehicle),
        findItems(app, [query.item, query.rearItem]),
      ])
      if (!vehicle.ok) return problem('UnknownVehicle')
      if (!items) return problem('NotSold')
      return answer(verdictView(verdictOn(items, vehicle.value.requirement, app.catalog.fitAt()), vehicle.value.name))
    },
  }),
  operation({
    id: 'priceInstalled',
    method: 'get',
    path: '/tires/{itemId}/installed',
    area: 'Catalog',
    summary: 'Price tires installed nearby',
    audience: 'anyone',
    sharedSeconds: 30,
    params: z.strictObject({ itemId: article }),
    query: z.strictObject({
      zip,
      quantity: z.coerce.number().int().min(1).max(8).default(4).meta({ description: 'How many of this item' }),
      rearItem: itemId
        .optional()
        .meta({ description: 'The rear item of a staggered set; half of the quantity is then for each axle' }),
      shops: z.coerce.number().int().min(1).max(8).default(3).meta({ description: 'How many shops, nearest first' }),
    }),
    result: installedPrices,
    refuses: ['NotSold', 'UnknownZip'],
    async handle({ app, params, query }) {
      const [near, items] = await Promise.all([
        readOffersNear(app, query.zip),
        findItems(app, [params.itemId, query.rearItem]),
      ])
      if (!items) return problem('NotSold')
      if (!near.ok) return problem('UnknownZip', zipMessages[near.reason])
      const offers = await findOffers(
        app.catalog,
        items.map(({ id }) => String(id)),
      )
      const [first] = items
      if (offers.length < items.length || !first) return problem('NotSold')
      const quantity = items.length === 1 ? query.quantity : Math.ceil(query.quantity / 2)
      const tires = offers.flatMap((offer) => offeredTires(offer.items, offer.prices, quantity))
      const asks = [{ key: 'asked', tires, stock: items.map(({ stock }) => stock), shops: query.shops }]
      const installed = (await near.value.price(asks)).get('asked') ?? []
      return answer(
        installed.map(({ shop: at, totalCents, breakdown, installation, arrivesOn, openings }) => ({
          shop: {
            id: at.id,
            code: at.code,
            name: at.name,
            city: at.city,
            state: at.state,
            zip: at.zip,
            timeZone: at.timeZone,
            miles: toTenths(at.miles),
          },
          totalCents,
          rows: rowViews(breakdown),
          minutes: installation.minutes,
          arrivesOn: arrivesOn?.toString() ?? null,
          openings: openings.map(openingView),
        })),
      )
    },
  }),
  operation({
    id: 'compareTires',
    method: 'get',
    path: '/comparison',
    area: 'Catalog',
    summary: `Compare ${COMPARED_TIRES.min} to ${countOf(COMPARED_TIRES.max, 'tire')}`,
    description: 'In the order requested. Items that are not sold are omitted.',
    audience: 'anyone',
    sharedSeconds: 60,
    query: z.strictObject({
      tire: z
        .array(
          z
            .string()
            .regex(/^[1-9]\d{0,8}(-[1-9]\d{0,8})?$/, 'A key is an item, or front and rear such as 101234-101240.'),
        )
        .min(2)
        .max(5)
        .meta({
          description: 'Keys of tires or sets, as in lists; each only once',
          examples: [['100001', '100002']],
        }),
      ...forWhom,
    }),
    result: z.array(z.strictObject({ offer: tireOffer, specs })),
    refuses: ['UnknownVehicle', 'UnknownZip'],
    async handle({ app, caller, query }) {
      const who = await readForWhom(app, caller.visitor, query)
      if (!who.ok) return who
      const offers = await findOffers(app.catalog, [...new Set(query.tire)], who.value)
      const now = app.clock.now()
      return answer(
        offers.map((offer) => ({
          offer: offerView(offer, who.value.shippingTo),
          specs: specsOf(offer.items[0], now).map((spec) => ({ ...spec })),
        })),
      )
    },
  }),
]

/** Returns all of them, or undefined if any is not sold. */
async function findItems(app: Application, ids: readonly (number | undefined)[]): Promise<Item[] | undefined> {
  const asked = ids.filter((id) => id !== undefined)
  const items = await Promise.all(asked.map((id) => findItem(app.catalog, id)))
  const found = items.filter((item) => item !== undefined)
  return found.length === asked.length ? found : undefined
}

function productView(
  { config }: Application,
  found: Product,
  { shippingTo, vehicle }: { shippingTo: ShippingTo | null; vehicle: string | null },
): z.input<typeof product> {
  const { item, line, texts, price, rebate, units, fitment, siblings, similar } = found
  return {
    itemId: item.id,
    sku: item.sku,
    brand: { slug: line.brand.slug, name: line.brand.name },
    line: { slug: line.slug, name: line.name },
    type: line.type,
    category: line.category,
    about: texts.about,
    size: item.size.designation,
    sizeSlug: item.size.slug,
    unitCents: price.unitCents,
    wasCents: price.wasCents,
    fetCents: price.fetCents,
    shippingPerTireCents: shippingTo?.perTireCents([item]) ?? null,
    priceLabel: labelOfPrices([price])?.label ?? null,
    units,
    specs: found.specs.map((spec) => ({ ...spec })),
    score: item.score && { tenths: item.score.tenths, band: item.score.band },
    rebate: rebate && {
      name: rebate.name,
      amountCents: rebate.amountCents,
      units: rebate.units,
      endsAt: rebate.endsAt.toString(),
    },
    rating: line.rating && {
      ...line.rating,
      histogram: [...line.rating.histogram],
      attributes: { ...line.rating.attributes },
    },
    photos: texts.photos.map(({ key, description }) => ({
      url: `${config.web.origin}${paths.uploadedPicture(key)}`,
      description,
    })),
    sizes: siblings.map(({ itemId: id, size, sizeSlug, service, unitCents, isInStock }) => ({
      itemId: id,
      size,
      sizeSlug,
      service,
      unitCents,
      isInStock,
    })),
    fit: fitment && verdictView(fitment, vehicle),
    similar: similar.map((offer) => offerView(offer, shippingTo)),
  }
}

function verdictView(judged: FitmentVerdict, vehicleName: string | null): z.input<typeof verdict> {
  const { headline, lines, notes, labelQuestion } = summarizeVerdict(
    judged,
    vehicleName === null ? {} : { vehicleName },
  )
  return {
    verdict: judged.verdict,
    headline,
    lines: [...lines],
    notes: [...notes],
    labelQuestion: labelQuestion ?? null,
    conditions: judged.conditions.map(({ code, text }) => ({ code, text })),
    findings: judged.findings.map(({ rule, axle, level: found, text }) => ({ rule, axle, level: found, text })),
    passed: [...judged.passed],
    ruleBook: judged.ruleBook,
  }
}
