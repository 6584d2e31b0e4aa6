import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import type { ProductAttributes } from './product-form.ts'

export type StoredProduct = {
  offerId: string
  contentLanguage: string
  feedLabel: string
  attributes: ProductAttributes
  createdAt: string
  updatedAt: string
  /** Why the board disapproved it. */
  disapproval: string | null
}

/** Answers of calls to come, instead of the right ones. */
export type Fault = { id: string; status: 401 | 429 | 503; retryAfter: string | null }

export type Merchant = {
  /** By product name, such as `en~US~100001`. */
  readonly products: Collection<StoredProduct>
  now(): Temporal.Instant
  /** Creates a token of an hour. */
  issueToken(): { token: string; seconds: number }
  isTokenGood(token: string): boolean
  /** Makes the next calls fail. */
  addFaults(fault: Omit<Fault, 'id'>, calls: number): void
  /** Removes and returns the next call's fault. */
  takeFault(): Fault | undefined
}

const tokenSeconds = 3_599

/** Google Merchant Center's products, with their review. */
export function openMerchant({ store, now }: { store: Store; now(): Temporal.Instant }): Merchant {
  const products = store.collection<StoredProduct>('merchant-product')
  const tokens = store.collection<{ endsAt: string }>('merchant-token')
  const faults = store.collection<Fault>('merchant-fault')
  return {
    products,
    now,
    issueToken() {
      const token = newId('ya29.', 40)
      tokens.put(token, { endsAt: now().add({ seconds: tokenSeconds }).toString() })
      return { token, seconds: tokenSeconds }
    },
    isTokenGood(token) {
      const kept = tokens.get(token)
      return kept !== undefined && Temporal.Instant.compare(now(), kept.endsAt) < 0
    },
    addFaults(fault, calls) {
      for (let call = 0; call < calls; call += 1) {
        const id = newId('fault_')
        faults.put(id, { id, ...fault })
      }
    },
    takeFault() {
      const fault = faults.list({ limit: 1_000 }).at(-1)
      if (fault) faults.remove(fault.id)
      return fault
    },
  }
}

export function nameOf({
  contentLanguage,
  feedLabel,
  offerId,
}: Pick<StoredProduct, 'contentLanguage' | 'feedLabel' | 'offerId'>): string {
  return `${contentLanguage}~${feedLabel}~${offerId}`
}
