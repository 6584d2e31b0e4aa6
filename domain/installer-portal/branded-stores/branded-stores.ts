/** The store under a shop's own name. Safe in the browser. */
import { z } from 'zod'

export { brandedStoreForm, type BrandedStoreInput } from './store-form.ts'
export { headlineColor, textOn } from './store-colors.ts'
export { askedStore, dealerCodeOf, hostNameOf, installerIdOf, storeParameters, type AskedStore } from './visits.ts'

/** Branded store statuses (pending review, enabled, or disabled). */
export const storeStates = {
  waiting: 'Awaiting review',
  on: 'On',
  off: 'Switched off',
} as const
export type StoreState = keyof typeof storeStates

/** Activates a store as it was reviewed; `seen` is its version. */
export const activateStoreForm = z.object({ seen: z.coerce.number().int().min(0).max(2_147_483_647) })

/** Refuses or deactivates a store with a reason, which the shop sees. */
export const deactivateStoreForm = activateStoreForm.extend({ reason: z.string().default('') })

/** A branded store as its visits see it. */
export type BrandedStore = {
  shopId: number
  /** The shop's code. The specification calls it the installer id. */
  installerId: string
  /** The shop's name in addresses. */
  shopSlug: string
  dealerCode: string
  name: string
  tagline: string | null
  brandColor: string
  accentColor: string
  logo: string | null
  /** Of the shop. */
  phone: string
  address: string
  zip: string
}
