/**
 * The business terms that copy states. Pages of copy are rendered once per process, so the terms belong to the process,
 * too: its web server says which apply.
 */
import { standardTerms, type BusinessTerms } from '#domain/kernel/settings/settings.ts'

let read: () => BusinessTerms = () => standardTerms

/** Sets where copy reads the terms that apply now. */
export function stateTermsFrom(terms: { readonly current: BusinessTerms }): void {
  read = () => terms.current
}

/** The terms that copy states now. The same object as long as nothing changes. */
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
