/**
 * Coverage and roadside plans with their benefits, from the business constants (specification, section 9) and terms. Safe in the
 * browser.
 */
import { COVERAGE_NAMES, type CoveragePlan } from '#domain/pricing/pricing/pricing.ts'
import { coverageLimitsOf, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { REPLACEMENT_COVERAGE, ROAD_HAZARD_PLAN } from '#platform/business-constants.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'

/** The benefits of replacement coverage, one line each. */
function coverageTerms(terms: BusinessTerms): string[] {
  const { capCentsByYear, repairCents } = coverageLimitsOf(terms)
  const [first = 0, second = 0, third = 0] = capCentsByYear
  return [
    `${countOf(REPLACEMENT_COVERAGE.months, 'month')} from the day the tires are delivered`,
    `Up to ${dollars(first)} per tire in the first year, ${dollars(second)} in the second, ${dollars(third)} in the third`,
    `Repairs paid back up to ${dollars(repairCents)} per tire`,
  ]
}

/** How long the road hazard plan runs. */
export const roadHazardRuns = `${countOf(ROAD_HAZARD_PLAN.months, 'month')} from delivery`

/** The road hazard plan of branded stores as a table, one line each. */
export function roadHazardTable(terms: BusinessTerms): readonly { when: string; what: string }[] {
  const [first = 0, second = 0] = coverageLimitsOf(terms).customerPaysPpmByYear
  return [
    { when: 'Runs', what: roadHazardRuns },
    { when: 'First year', what: `We pay ${formatRate(1_000_000 - first)} of the tire` },
    { when: 'Second year', what: `You pay ${formatRate(second)} of the tire` },
    { when: 'Labor', what: 'Not covered' },
  ]
}

/** The benefits of the road hazard plan, one line each. */
function roadHazardTerms(terms: BusinessTerms): string[] {
  const [first = 0, second = 0] = coverageLimitsOf(terms).customerPaysPpmByYear
  return [
    `${countOf(ROAD_HAZARD_PLAN.months, 'month')} from the day the tires are delivered`,
    `In the first year we pay ${formatRate(1_000_000 - first)} of the tire’s price; in the second you pay ${formatRate(second)} of it`,
    'Labor is not covered',
  ]
}

/** Returns a plan's name and benefits for the plan selector. */
export function planWords(plan: CoveragePlan, terms: BusinessTerms): { name: string; terms: readonly string[] } {
  return { name: COVERAGE_NAMES[plan], terms: plan === 'road-hazard' ? roadHazardTerms(terms) : coverageTerms(terms) }
}

/** The benefits of roadside assistance. */
export function roadsideBenefits(terms: BusinessTerms): string[] {
  return [
    `${countOf(terms['roadside-months'], 'month')} of towing, flat changes and jump starts`,
    `Only with ${terms['roadside-tires']} or more tires and installation`,
  ]
}

/** Whether roadside assistance can be added to this cart, or why not. */
export function canAddRoadside(
  cart: { tireCount: number; isInstalled: boolean },
  terms: BusinessTerms,
): { can: true } | { can: false; reason: string } {
  const least = terms['roadside-tires']
  if (cart.tireCount < least) return { can: false, reason: `Roadside assistance comes with ${least} or more tires.` }
  if (!cart.isInstalled)
    return { can: false, reason: 'Roadside assistance comes with installation at a shop or by a van.' }
  return { can: true }
}

function dollars(cents: number): string {
  return formatCents(cents).replace(/\.00$/, '')
}
