/** The list of shops and vans by code. */
import { shopState } from '#app/office/shop-state.ts'
import { readShopPreview } from '#app/office/previews/shop.server.ts'
import { defineList, money } from '#app/office/define-list.server.ts'
import { shopFileColumns, shopFileValues } from '#domain/installer-portal/shops/shops.ts'
import { officePaths } from '#content/office-paths.ts'
import { countAppointmentsAhead } from '#domain/scheduling/booking/booking.server.ts'
import {
  findOfficeShops,
  listOfficeShops,
  selectShopRecords,
  type OfficeShopState,
  type ShopRecord,
} from '#domain/scheduling/installers/installers.server.ts'
import { selectBalances } from '#domain/installer-portal/payouts/payouts.server.ts'
import { phoneText } from '#platform/phone-text.ts'
import { storeDay } from '#platform/store-zone.ts'

const states: readonly OfficeShopState[] = ['open', 'paused', 'closing', 'set-up', 'suspended', 'closed']

/** The other columns of the file, which can be imported again. */
const fileColumns = Object.entries(shopFileColumns)
  .filter(([field]) => field !== 'code' && field !== 'name')
  .map(([field, label]) => ({ key: `typed-${field}`, label, isFileOnly: true }))

export const shops = defineList({
  name: 'shops',
  title: 'All shops',
  path: officePaths.officeShops(),
  permission: 'shop-applications.read',
  caption: 'Shops by code',
  nouns: ['shop', 'shops'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [
      ['', 'All'],
      ['open', 'Active'],
      ['paused', 'Paused'],
      ['closing', 'Closing'],
      ['set-up', 'Onboarding'],
      ['suspended', 'Suspended'],
      ['closed', 'Closed'],
    ],
  },
  find: { name: 'q', label: 'Find by name, city, ZIP, phone' },
  filters: [
    {
      kind: 'choice',
      name: 'kind',
      label: 'Kind',
      options: [
        ['shop', 'Tire shop'],
        ['van', 'Van'],
      ],
    },
  ],
  columns: [
    { key: 'code', label: 'Shop', isFixed: true },
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'kind', label: 'Kind' },
    { key: 'place', label: 'City' },
    { key: 'street', label: 'Street', isOff: true },
    { key: 'zip', label: 'ZIP', isOff: true },
    { key: 'phone', label: 'Phone', isOff: true },
    { key: 'rating', label: 'Rating' },
    { key: 'ahead', label: 'Appointments ahead', kind: 'count' },
    { key: 'due', label: 'Pay due', kind: 'money', permission: 'pay.read' },
    { key: 'state', label: 'State' },
    ...fileColumns,
  ],
  preview: readShopPreview,
  news: {
    imported: 'Shops imported.',
    'imported-same': 'The file matches the current shops. No changes made.',
  },
  links: [
    { label: 'Import a file', path: officePaths.officeShopsImport(), permission: 'shops.edit' },
    { label: 'Add a shop', path: officePaths.officeNewShop(), permission: 'shops.edit', isPrimary: true },
  ],
  read: async ({ app, now, can }, { filters, after, before, limit }) => {
    const state = states.find((one) => one === filters['state']) ?? null
    const kind = filters['kind'] === 'shop' || filters['kind'] === 'van' ? filters['kind'] : null
    const today = storeDay(now)
    const { q } = filters
    const found =
      q === undefined
        ? await listOfficeShops(app, {
            state,
            kind,
            today,
            limit,
            after: /^[A-Za-z0-9-]{1,40}$/.exec(after ?? before ?? '')?.[0] ?? null,
          })
        : {
            shops: (await findOfficeShops(app, q, limit)).filter(
              (one) => (state === null || shopState(one, today).is === state) && (kind === null || one.kind === kind),
            ),
            next: null,
          }
    const ids = found.shops.map(({ id }) => id)
    const records = new Map((await selectShopRecords(app.db, ids)).map((record) => [record.id, record]))
    const ahead = await countAppointmentsAhead(app.db, ids, now)
    const balances = can('pay.read') ? await selectBalances(app.db, ids) : new Map<number, { owedCents: number }>()
    return {
      rows: found.shops.map((one) => {
        const { text, tone } = shopState(one, today)
        return {
          id: one.code,
          label: one.name,
          path: officePaths.officeShop(one.code),
          cells: {
            ...typedCells(records.get(one.id)),
            code: one.code,
            name: one.name,
            kind: one.kind === 'van' ? 'Van' : 'Tire shop',
            place: `${one.city}, ${one.state}`,
            street: one.street,
            zip: one.zip,
            phone: phoneText(one.phone),
            rating: one.ratingTenths === null ? null : `${(one.ratingTenths / 10).toFixed(1)} (${one.ratingCount})`,
            ahead: ahead.get(one.id)?.count ?? 0,
            due: money(balances.get(one.id)?.owedCents ?? 0),
            state: { text, tone },
          },
        }
      }),
      next: found.next,
    }
  },
})

function typedCells(record: ShopRecord | undefined): Record<string, string> {
  const values = record ? Object.entries(shopFileValues(record)) : []
  return Object.fromEntries(values.map(([field, value]) => [`typed-${field}`, value]))
}
