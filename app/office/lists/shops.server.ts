/** The list of shops and mobile installers by code. */
import { readShopPreview } from '#app/office/previews/shop.server.ts'
import { defineList } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  findOfficeShops,
  listOfficeShops,
  type OfficeShop,
  type OfficeShopState,
} from '#domain/installers/installers.server.ts'
import { phoneText } from '#platform/phone-text.ts'

const states: readonly OfficeShopState[] = ['open', 'set-up', 'closed']

export const shops = defineList({
  name: 'shops',
  title: 'All shops',
  path: officePaths.officeShops(),
  permission: 'shop-applications.read',
  caption: 'Shops by code',
  empty: 'No shops match this view.',
  nouns: ['shop', 'shops'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [
      ['', 'All'],
      ['open', 'Open for booking'],
      ['set-up', 'In set-up'],
      ['closed', 'Closed'],
    ],
  },
  find: { name: 'q', label: 'Find by name, city, ZIP, phone' },
  columns: [
    { key: 'code', label: 'Shop', isFixed: true },
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'kind', label: 'Kind' },
    { key: 'place', label: 'City' },
    { key: 'street', label: 'Street', isOff: true },
    { key: 'zip', label: 'ZIP', isOff: true },
    { key: 'phone', label: 'Phone' },
    { key: 'state', label: 'State' },
  ],
  preview: readShopPreview,
  read: async ({ shop }, { filters, after, before, limit }) => {
    const state = states.find((one) => one === filters['state']) ?? null
    const { q } = filters
    const found =
      q === undefined
        ? await listOfficeShops(shop, {
            state,
            after: /^[A-Za-z0-9-]{1,40}$/.exec(after ?? before ?? '')?.[0] ?? null,
            limit,
          })
        : {
            shops: (await findOfficeShops(shop, q, limit)).filter((one) => state === null || stateOf(one).is === state),
            next: null,
          }
    return {
      rows: found.shops.map((one) => ({
        id: one.code,
        label: one.name,
        path: officePaths.officeShop(one.code),
        cells: {
          code: one.code,
          name: one.name,
          kind: one.kind === 'van' ? 'Mobile installer' : 'Shop',
          place: `${one.city}, ${one.state}`,
          street: one.street,
          zip: one.zip,
          phone: phoneText(one.phone),
          state: { text: stateOf(one).text, tone: stateOf(one).tone },
        },
      })),
      next: found.next,
    }
  },
})

function stateOf({ isActive, isInSetUp }: OfficeShop) {
  if (isActive) return { is: 'open', text: 'Open for booking', tone: 'go' } as const
  return isInSetUp
    ? ({ is: 'set-up', text: 'In set-up', tone: 'signal' } as const)
    : ({ is: 'closed', text: 'Closed', tone: 'plain' } as const)
}
