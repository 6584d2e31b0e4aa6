/**
 * The business terms stated in copy. Pages of copy are rendered once per process, so the terms also belong to the
 * process, and its web server sets them.
 */
import { standardTerms, type BusinessTerms } from '#domain/kernel/settings/settings.ts'

let read: () => BusinessTerms = () => standardTerms

/** Sets where copy reads the terms that apply now. */
export function stateTermsFrom(terms: { readonly current: BusinessTerms }): void {
  read = () => terms.current
}

/** The terms currently stated in copy. Returns the same object until one of them changes. */
export function copyTerms(): BusinessTerms {
  return read()
}

/** Returns what `make` makes of the terms that apply now, made once per terms. */
export function perTerms<Made>(make: () => Made): () => Made {
  const made = new WeakMap<BusinessTerms, { it: Made }>()
  return () => {
    const terms = copyTerms()
    const known = made.get(terms) ?? { it: make() }
    made.set(terms, known)
    return known.it
  }
}
