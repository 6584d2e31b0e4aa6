import type { RouterContextProvider } from 'react-router'
import { found } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { shopTabs } from '#app/views/office/shop.server.ts'
import { findShopRecord } from '#domain/installer-portal/shops/shops.server.ts'

/**
 * Reads the shop for the page with its hours, prices, or service area. `path` is the page's path, `at` its tab. Responds
 * with 403 to staff who can't edit shops, and with 404 if there is no shop with the code.
 */
export async function openTerms(
  { context, params: { shopCode } }: { context: Readonly<RouterContextProvider>; params: { shopCode: string } },
  { at, path }: { at: 'hours' | 'prices' | 'area'; path: (code: string) => string },
) {
  const staff = await requireStaff(context, 'shops.edit', path(shopCode))
  const record = found(await findShopRecord(staff.app, shopCode.slice(0, 40)))
  const shop = { name: record.name, code: record.code }
  return { staff, record, head: { shop, tabs: shopTabs(staff, record, { at }) } }
}
