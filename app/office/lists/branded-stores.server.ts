/** The list of stores under shops' names, newest first. */
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'
import { defineList, idPlace, placeOfId, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { brandPaths } from '#content/brand-paths.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  listStores,
  readOwnStore,
  storeStateOf,
} from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { storeStates, type StoreState } from '#domain/installer-portal/branded-stores/branded-stores.ts'

const states = Object.keys(storeStates) as StoreState[]

export const brandedStores = defineList({
  news: { on: 'Store activated. Its links now open it.', off: 'Store deactivated. Its links now open our own store.' },
  name: 'branded-stores',
  title: 'Branded stores',
  path: officePaths.officeBrandedStores(),
  permission: 'branded-stores.read',
  caption: 'Stores with a shop’s brand',
  nouns: ['store', 'stores'],
  view: statesView(states, storeStates),
  columns: [
    { key: 'code', label: 'Shop code', isFileOnly: true },
    { key: 'shop', label: 'Shop', isFixed: true },
    { key: 'name', label: 'Store' },
    { key: 'logo', label: 'Logo', isPageOnly: true },
    { key: 'dealer', label: 'Dealer code' },
    { key: 'colors', label: 'Colors' },
    { key: 'state', label: 'State', isFileOnly: true },
    { key: 'version', label: 'Version', isFileOnly: true },
    { key: 'saved', label: 'Saved', kind: 'time' },
    { key: 'decided', label: 'Decided by' },
    { key: 'reason', label: 'Reason', isFileOnly: true },
    { key: 'act', label: 'Switch', isPageOnly: true, permission: 'branded-stores.decide' },
  ],
  rowAt: async ({ app }, id) => {
    const shop = await findShopRecord(app, id.slice(0, 40))
    const store = shop && (await readOwnStore(app, shop.id))
    return store && { filters: { state: storeStateOf(store) }, after: String(store.shopId + 1) }
  },
  read: async ({ app }, query) => {
    const state = stateOf(states, query)
    const { stores, next } = await listStores(app, { state, before: idPlace(query.after ?? query.before) })
    return {
      rows: stores.map((store) => ({
        id: store.shopCode,
        label: store.name,
        path: null,
        cells: {
          code: store.shopCode,
          shop: {
            text: `${store.shopName}, ${store.city}, ${store.state} (${store.shopCode})`,
            file: store.shopName,
          },
          name: { text: store.name, note: store.tagline },
          logo: store.logo ? brandPaths.logo(`${store.logo}.webp`) : null,
          dealer: store.dealerCode,
          colors: `${store.brandColor}, ${store.accentColor}`,
          state: storeStates[state],
          version: store.version,
          saved: time(store.savedAt),
          decided: { text: store.decidedBy, note: store.offReason },
          reason: store.offReason,
          act: { text: store.version, note: state },
        },
      })),
      next: placeOfId(next),
    }
  },
})
