/** Listings in the catalog of the tire's brand. They never raise a result. */
import { ask, listOf, onlyIf } from './ruling.ts'
import type { AxleCase, BrandListing, Note, OfferedTire, Requirement, Ruling } from './terms.ts'
import type { Level } from './verdict.ts'

/**
 * FR48: a listing for the other axle only is unknown, and one with conditions adds them. Without a listing, the size
 * decides, because catalogs are incomplete.
 */
export function isListedByBrand({ axle, tire, vehicle, context }: AxleCase): Ruling {
  const listings = context.spare ? [] : listingsOf(tire, vehicle)
  const [first] = listings
  if (!first) return 'silent'
  const here = listings.filter((listing) => listing.axle === undefined || listing.axle === axle)
  const other = axle === 'front' ? 'rear' : 'front'
  if (here.length === 0)
    return ask(
      `${first.company} lists this tire only for the ${other} axle of your vehicle. Please call us.`,
      `the brand lists it only for the ${other} axle, call us`,
    )
  if (here.some(({ terms }) => terms === '')) return 'passed'
  const terms = listOf(new Set(here.map((listing) => `“${listing.terms}”`)), 'or')
  return onlyIf(
    'C-BRAND',
    `${first.company} lists this tire for your vehicle with a condition: ${terms}.`,
    'if the brand’s condition applies to your vehicle',
  )
}

/** FR48: names the brand's catalog and its date, also where a stricter rule decides. */
export function brandNote(tires: readonly OfferedTire[], vehicle: Requirement, verdict: Level): Note | undefined {
  const found = tires.flatMap((tire) => listingsOf(tire, vehicle))
  const [first] = found
  if (!first) return undefined
  const text = `${first.company} lists this tire for your vehicle in its catalog of ${first.date}.`
  const stricter = ' That doesn’t change our result, because the stricter one counts.'
  return { code: 'N-BRAND', rule: 'FR48', text: verdict === 'does_not_fit' ? `${text}${stricter}` : text }
}

function listingsOf({ itemId }: OfferedTire, { brandListings }: Requirement): readonly BrandListing[] {
  return itemId === undefined ? [] : (brandListings?.byItem.get(itemId) ?? [])
}
