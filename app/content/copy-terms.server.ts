/**
 * The business terms and delivery times stated in copy. Pages of copy are rendered once per process, so both also belong
 * to the process, and its web server sets them.
 */
import { standardDeliveryTimes, type DeliveryTimes } from '#domain/supply/delivery/delivery.ts'
import { standardTerms, type BusinessTerms } from '#domain/kernel/settings/settings.ts'

let read: () => BusinessTerms = () => standardTerms
let readTimes: () => DeliveryTimes = () => standardDeliveryTimes

/** Sets where copy reads the terms and delivery times that apply now. */
export function stateTermsFrom(
  terms: { readonly current: BusinessTerms },
  times: { readonly current: DeliveryTimes },
): void {
  read = () => terms.current
  readTimes = () => times.current
}

/** The delivery times currently stated in copy. Returns the same object until one of them changes. */
export function copyTimes(): DeliveryTimes {
  return readTimes()
}

/** The terms currently stated in copy. Returns the same object until one of them changes. */
export function copyTerms(): BusinessTerms {
  return read()
}

/** Returns what `make` makes of the terms and delivery times that apply now, made once for both. */
export function perTerms<Made>(make: () => Made): () => Made {
  const made = new WeakMap<BusinessTerms, WeakMap<DeliveryTimes, { it: Made }>>()
  return () => {
    const [terms, times] = [copyTerms(), copyTimes()]
    const ofTerms = made.get(terms) ?? new WeakMap<DeliveryTimes, { it: Made }>()
    const known = ofTerms.get(times) ?? { it: make() }
    made.set(terms, ofTerms.set(times, known))
    return known.it
  }
}
