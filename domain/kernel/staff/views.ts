/** Saved views are named filters of an office list. */
import { z } from 'zod'

/** The lists of the back office, by the word that names each in addresses. */
export type OfficeListName =
  | 'orders'
  | 'returns'
  | 'refunds'
  | 'quotes'
  | 'companies'
  | 'certificates'
  | 'partners'
  | 'employers'
  | 'shop-applications'
  | 'certified-shops'
  | 'branded-stores'
  | 'shop-reports'
  | 'tire-registrations'
  | 'messages'
  | 'bounces'
  | 'templates'
  | 'guarantees'
  | 'claims'
  | 'reviews'
  | 'staff'
  | 'api-clients'
  | 'audit'
  | 'disputes'
  | 'pickups'
  | 'parcels'
  | 'manifests'
  | 'appointments'
  | 'stored-sets'
  | 'shops'
  | 'charges'
  | 'held-orders'
  | 'recalls'
  | 'reconciliation'
  | 'shop-pay'
  | 'webhooks'
  | 'failed-webhooks'
  | 'customers'
  | 'settings'
  | 'stock'
  | 'purchases'
  | 'stock-orders'
  | 'supplier-returns'
  | 'low-stock'
  | 'promotions'
  | 'coupons'
  | 'price-lists'
  | 'map-prices'
  | 'catalog'
  | 'brands'
  | 'tire-types'
  | 'parts'
  | 'imports'
  | 'size-lists'
  | 'competitor-prices'
  | 'supplier-feeds'
  | 'google-listings'
  | 'content'
  | 'email-templates'
  | 'redirects'
  | 'warehouses'
  | 'taxes'
  | 'suppliers'
  | 'rebates'
  | 'report-entries'

/** How many views one person may keep of one list. */
export const mostViews = 12

export const longestViewQuery = 1_000

/** A view as it is named; the filters come from the address it is saved from. */
export const viewForm = z.object({
  name: z.string().trim().min(1, 'Give the view a name.').max(40, 'Please keep this under 40 characters.'),
  shared: z.literal('yes').optional(),
})

export type ViewName = z.output<typeof viewForm>

/** A view in the tabs of its list. */
export type SavedView = {
  id: string
  list: string
  name: string
  query: string
  isShared: boolean
  savedBy: string
  /** Whether the reader saved it, and may delete it. */
  isMine: boolean
}
