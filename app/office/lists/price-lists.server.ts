/** Price lists by name, and minimum advertised prices by SKU. */
import { priceListRecord } from '#app/office/records/catalog.server.ts'
import { defineList, idPlace, money, placeOfId, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { placeText, readRowPlace } from '#app/office/list-place.ts'
import { officePaths } from '#content/office-paths.ts'
import { listPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { listMinimumPrices, selectAllBelowMinimum } from '#domain/catalog/promotions/promotions.server.ts'

export const priceLists = defineList({
  name: 'price-lists',
  title: 'Price lists',
  path: officePaths.officePriceLists(),
  permission: 'price-lists.read',
  caption: 'Price lists',
  nouns: ['price list', 'price lists'],
  columns: [
    { key: 'name', label: 'List', isFixed: true },
    { key: 'slug', label: 'URL name' },
    { key: 'type', label: 'Account type' },
    { key: 'rules', label: 'Rules', kind: 'count' },
  ],
  record: priceListRecord,
  read: async ({ app }, { after, before }) => {
    const { items, next } = await listPriceLists(app, idPlace(after ?? before))
    return {
      rows: items.map(({ slug, name, accountType, rules }) => ({
        id: slug,
        label: name,
        path: officePaths.officePriceList(slug),
        cells: { name, slug, type: { text: accountType ?? 'No accounts', file: accountType }, rules },
      })),
      next: placeOfId(next),
    }
  },
})

const mapStates = ['all', 'below'] as const

const belowPerPage = 100

export const mapPrices = defineList({
  news: { saved: 'Saved. Carts update immediately.' },
  name: 'map-prices',
  title: 'Minimum prices',
  path: officePaths.officeMapPrices(),
  permission: 'promotions.read',
  caption: 'Minimum advertised prices',
  empty: 'No tire has a minimum price.',
  nouns: ['price', 'prices'],
  view: statesView(mapStates, { all: 'All', below: 'Below minimum' }),
  relevantColumns: ({ state }) =>
    state === 'below' ? ['sku', 'name', 'set', 'map', 'sold', 'cause'] : ['sku', 'name', 'set', 'retail', 'map'],
  columns: [
    { key: 'sku', label: 'SKU', isFixed: true },
    { key: 'name', label: 'Tire', isFixed: true },
    { key: 'set', label: 'Set', kind: 'time' },
    { key: 'retail', label: 'Our price', kind: 'money' },
    { key: 'map', label: 'Minimum', kind: 'money' },
    { key: 'sold', label: 'Sold at', kind: 'money' },
    { key: 'cause', label: 'Because of' },
  ],
  read: async ({ app, can, now }, query) => {
    const { after, before } = query
    if (stateOf(mapStates, query) === 'below') {
      const found = await selectAllBelowMinimum(app.db, {
        at: now,
        after: readRowPlace(after ?? before),
        limit: belowPerPage + 1,
      })
      const below = found.slice(0, belowPerPage)
      const last = found.length > belowPerPage ? below.at(-1) : undefined
      return {
        rows: below.map(({ itemId, sku, tire, since, priceCents, mapCents, name }) => ({
          id: String(itemId),
          label: sku,
          path: officePaths.officeItem(itemId),
          cells: {
            sku,
            name: tire,
            set: time(since),
            map: money(mapCents),
            sold: money(priceCents),
            cause: name === null ? 'Its price' : name,
          },
        })),
        next: last ? placeText(last.since, last.itemId) : null,
      }
    }
    const { items, next } = await listMinimumPrices(app, idPlace(after ?? before))
    return {
      rows: items.map(({ itemId, sku, name, retailCents, mapCents, setAt }) => ({
        id: String(itemId),
        label: sku,
        path: can('promotions.edit') ? officePaths.officeMapPrices({ tire: itemId }) : null,
        cells: { sku, name, set: time(setAt), retail: money(retailCents), map: money(mapCents) },
      })),
      next: placeOfId(next),
    }
  },
})
