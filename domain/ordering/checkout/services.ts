/**
 * Coverage and roadside plans with their benefits, from the business constants (specification, section 9) and terms. Safe in the
 * browser.
 */
import { COVERAGE_NAMES, type CoveragePlan } from '#domain/pricing/pricing/pricing.ts'
import { coverageLimitsOf, type BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'

/** The benefits of replacement coverage, one line each. */
function coverageTerms(terms: BusinessTerms): string[] {
  const { months, repairCents } = coverageLimitsOf(terms)
  return [
    `${countOf(months.replacement, 'month')} from the day the tires are delivered`,
    `Up to ${coverageYearsText(terms)}`,
    `Repairs paid back up to ${dollars(repairCents)} per tire`,
  ]
}

const yearNames = ['First', 'Second', 'Third']

/** Payments of a plan by year, such as "First year" with "$400", or "50%" for the road hazard plan. */
export function coverageYears(plan: CoveragePlan, terms: BusinessTerms): { when: string; pays: string }[] {
  const { capCentsByYear, customerPaysPpmByYear } = coverageLimitsOf(terms)
  const paid =
    plan === 'road-hazard'
      ? customerPaysPpmByYear.map((ppm) => formatRate(1_000_000 - ppm))
      : capCentsByYear.map(dollars)
  return paid.map((pays, index) => ({ when: `${yearNames[index] ?? ''} year`, pays }))
}

/** "$400 per tire in the first year, $200 in the second, and $100 in the third", for the years of replacement coverage. */
export function coverageYearsText(terms: BusinessTerms): string {
  return yearsText(coverageYears('replacement', terms), 'per tire')
}

/** "100% of the tire’s price in the first year and 50% in the second", for the years of the road hazard plan. */
export function roadHazardYearsText(terms: BusinessTerms): string {
  return yearsText(coverageYears('road-hazard', terms), 'of the tire’s price')
}

function yearsText(years: readonly { when: string; pays: string }[], of: string): string {
  const parts = years.map(({ when, pays }, index) => {
    const year = when.toLowerCase()
    return index === 0 ? `${pays} ${of} in the ${year}` : `${pays} in the ${year.replace(' year', '')}`
  })
  return new Intl.ListFormat('en-US').format(parts)
}

/** The road hazard plan of branded stores as a table, one line each. */
export function roadHazardTable(terms: BusinessTerms): readonly { when: string; what: string }[] {
  return [
    { when: 'Runs', what: `${countOf(terms['road-hazard-months'], 'month')} from delivery` },
    ...coverageYears('road-hazard', terms).map(({ when, pays }) => ({ when, what: `We pay ${pays} of the tire` })),
    { when: 'Labor', what: 'Not covered' },
  ]
}

/** The benefits of the road hazard plan, one line each. */
function roadHazardTerms(terms: BusinessTerms): string[] {
  return [
    `${countOf(terms['road-hazard-months'], 'month')} from the day the tires are delivered`,
    `We pay ${roadHazardYearsText(terms)}`,
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
