/** Finds claims about store-specific programs in pages, structured data, and email. */
import {
  sellsProgram,
  storePrograms,
  type StoreKind,
  type StoreProgram,
} from '#domain/pricing/store-programs/store-programs.ts'
import { REPLACEMENT_COVERAGE, ROAD_HAZARD_PLAN } from '#platform/business-constants.ts'
import { formatCents } from '#platform/money.ts'

const [firstYearCents] = REPLACEMENT_COVERAGE.capCentsByYear
const firstYear = formatCents(firstYearCents).replace(/\.00$/, '').replace('$', '\\$')

/** Patterns that occur only in a program's promise. */
const promises: Readonly<Record<StoreProgram, RegExp>> = {
  replacementCoverage: new RegExp(
    `replacement coverage|\\b${REPLACEMENT_COVERAGE.months} months\\b|up to ${firstYear}(?![\\d,.])`,
    'gi',
  ),
  roadHazardPlan: new RegExp(`road hazard plan|\\b${ROAD_HAZARD_PLAN.months} months of (?:coverage|protection)`, 'gi'),
  mobileInstallation: /mobile[- ](?:tire[- ])?install|\bvans? comes?\b|\bvan come\b|\bby a van\b|\bwith a van\b/gi,
}

/** Returns the claims in `copy` that don't apply to this kind of store, with their context. */
export function brokenPromises(copy: string, store: StoreKind): string[] {
  // React separates texts by comments.
  const text = copy.replaceAll('<!-- -->', '')
  return storePrograms
    .filter((program) => !sellsProgram(store, program))
    .flatMap((program) =>
      [...text.matchAll(promises[program])].map(
        ({ index }) => `${program}: ${text.slice(Math.max(0, index - 40), index + 60)}`,
      ),
    )
}
