/** Writes feed files in chunks, with the current inventory and page prices. */
import { setImmediate } from 'node:timers/promises'
import { listForSale, vehicleJudge, type ForSale } from '#domain/catalog/catalog/catalog.server.ts'
import { arrivalFrom } from '#domain/catalog/catalog/catalog.ts'
import { warehousePromises } from '#domain/supply/delivery/delivery.server.ts'
import { quoteInstallation, type Shop as TireShop } from '#domain/scheduling/installers/installers.ts'
import { requirementFor, trimText, vehicleName, type SizedVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { findRequirement, hasBrandCatalogs, listSizedVehicles } from '#domain/catalog/vehicles/vehicles.server.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Application } from '#application'
import { feedRow } from './feed-fields.ts'
import { tableFeed } from './table-feed.ts'
import { xmlText } from './xml.ts'

/** Numbers of regions, as the operator enters them where the feed is read. */
export const feedRegions = { contiguous: '480001', AK: '480002', HI: '480003' } as const

/** Price and sale price of an article, as its page shows them. */
export function pricesOf({ price }: ForSale) {
  const { wasCents, unitCents, promotion } = price
  return {
    price: dollars(wasCents ?? unitCents),
    sale_price: wasCents === null ? null : dollars(unitCents),
    sale_price_effective_date:
      wasCents === null || !promotion ? null : `${promotion.startsAt.toString()}/${promotion.endsAt.toString()}`,
  }
}

/** "184.99 USD" */
export function dollars(cents: number): string {
  return `${(cents / 100).toFixed(2)} ${CURRENCY.code}`
}

/** Yields a feed in XML; `more` is the rest of an item. */
export async function* xmlFeed(
  app: Application,
  about: string,
  batches: AsyncIterable<readonly (readonly [fields: readonly (readonly [string, string])[], more: string])[]>,
): AsyncGenerator<string> {
  const { web, store } = app.config
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n'
  yield `${element('title', store.name)}${element('link', `${web.origin}/`)}${element('description', about)}`
  for await (const batch of batches)
    yield batch
      .map(
        ([fields, more]) =>
          `<item>\n${fields.map(([name, value]) => element(`g:${name}`, value)).join('')}${more}</item>\n`,
      )
      .join('')
  yield '</channel>\n</rss>\n'
}

/** An element of a feed. */
export function element(name: string, value: string): string {
  return `<${name}>${xmlText(value)}</${name}>\n`
}

/** A ZIP code per region. Its delivery promise applies to the whole region. */
const zipsOfRegions = { contiguous: '60614', AK: '99501', HI: '96813' } as const satisfies Record<
  keyof typeof feedRegions,
  string
>

/** Writes the availability of each item by region, from warehouses that deliver there. */
export function regionFeed(app: Application): AsyncGenerator<string> {
  async function* rows() {
    const regions = await Promise.all(
      (['contiguous', 'AK', 'HI'] as const).map(async (region) => {
        const promises = await warehousePromises(app, { zip: zipsOfRegions[region] })
        return { id: feedRegions[region], arrivalOf: promises.ok ? arrivalFrom(promises.value) : () => null }
      }),
    )
    for await (const batch of listForSale(app.catalog))
      yield batch.flatMap(({ item }) =>
        regions.map(({ id, arrivalOf }) => {
          const availability = arrivalOf(item.stock, 1) === null ? 'out_of_stock' : 'in_stock'
          return [feedRow('regions', { id: String(item.id), region_id: id, availability }), ''] as const
        }),
      )
  }
  return xmlFeed(app, 'Where tires ship', rows())
}

/** Writes the items that a tire shop installs, with the latest arrival. */
export function localFeed(app: Application, store: TireShop): AsyncGenerator<string> {
  async function* rows() {
    const promises = await warehousePromises(app, { zip: store.zip, releaseAfter: app.releaseAfterSeconds })
    if (!promises.ok) return
    const today = app.clock.now().toZonedDateTimeISO(store.timeZone).toPlainDate()
    const arrivalOf = arrivalFrom(promises.value)
    for await (const batch of listForSale(app.catalog))
      yield batch
        .filter(({ item: { size, runFlat } }) => {
          const tire = { quantity: 1, rimIn: size.rimIn, aspect: size.aspect, runFlat, sizeKind: size.kind }
          return quoteInstallation(store, [tire]).ok
        })
        .flatMap((each) => {
          // All units that the row names can be there by then.
          const day = arrivalOf(each.item.stock, each.units)
          if (day === null) return []
          return [[localRow(store.code, today.until(Temporal.PlainDate.from(day)).days, each), ''] as const]
        })
  }
  return xmlFeed(app, `Tires that ${store.name} installs`, rows())
}

/** Fewer than this are worth a visit before they are gone. */
const fewUnits = 4

function localRow(code: string, days: number, each: ForSale): [string, string][] {
  return feedRow('local', {
    store_code: code,
    id: String(each.item.id),
    quantity: String(each.units),
    ...pricesOf(each),
    availability: each.units < fewUnits ? 'limited_availability' : 'in_stock',
    pickup_method: 'ship to store',
    // Adds one day because feeds are used for a day.
    pickup_sla: days > 6 ? 'multi-week' : days < 1 ? 'next day' : `${days + 1}-day`,
  })
}

/** The number of recently read sizes to cache. The catalog is ordered by model, and sizes repeat across models. */
const sizesKept = 50

/** Writes the vehicles that each item fits on all wheels, by our rules, as CSV with one row each. */
export function fitmentFeed(app: Application): AsyncGenerator<string> {
  return tableFeed('fitment', 'csv', fitmentRows(app))
}

async function* fitmentRows(app: Application) {
  const kept = new Map<string, Fitting[]>()
  for await (const batch of listForSale(app.catalog)) {
    for (const { item } of batch) {
      // Pages are served between two articles.
      await setImmediate()
      const vehicles = await fittingOf(app, kept, item.size.designation)
      yield vehicles.flatMap(({ vehicle: { year, make, model, trim }, judge }) => {
        const { verdict } = judge([item])
        if (verdict !== 'fits' && verdict !== 'fits_with_conditions') return []
        const about = { year: String(year), make, model, trim: trimText(trim), verdict }
        return [feedRow('fitment', { id: String(item.id), mpn: item.mpn, ...about })]
      })
    }
  }
}

type Fitting = Pick<SizedVehicle, 'vehicle'> & { judge: ReturnType<typeof vehicleJudge> }

async function fittingOf(app: Application, kept: Map<string, Fitting[]>, size: string): Promise<Fitting[]> {
  const known = kept.get(size)
  if (known) return known
  const at = app.catalog.fitAt()
  const settled = { fitmentId: null, confirmed: false, label: null }
  const isListed = await hasBrandCatalogs(app.db)
  const found: Fitting[] = []
  for (const sized of await listSizedVehicles(app, size)) {
    const { vehicle } = sized
    const only = { kind: 'sized', name: vehicleName(vehicle), trims: [sized], otherTrims: [] } as const
    const requirement = isListed ? await findRequirement(app, only, settled) : requirementFor([sized], settled)
    found.push({ vehicle, judge: vehicleJudge(requirement, at) })
  }
  const [oldest] = kept.keys()
  if (kept.size >= sizesKept && oldest !== undefined) kept.delete(oldest)
  kept.set(size, found)
  return found
}
