/** The store's promises, one line each, with the page that backs each one. The numbers are the code's. */
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import type { Claim } from '#app/ui/claims.tsx'
import { capabilities, type Capability } from './capabilities.ts'
import { fillConstants } from './constants.server.ts'

/** `requires`: the capability that must be on for the claim to be made. */
const claims: readonly (Claim & { requires?: Capability })[] = [
  {
    icon: 'truck',
    title: 'Free shipping',
    text: 'Everywhere in the {{freeShippingArea}}.',
    path: paths.written('free-shipping'),
  },
  {
    icon: 'parcel',
    title: '{{returnDays}}-day returns',
    text: 'For tires that were never mounted.',
    path: paths.written('returns-and-refunds'),
  },
  {
    icon: 'tag',
    title: 'Price guarantee',
    text: 'The same tire for less, out the door? We match it.',
    path: paths.priceGuarantee(),
  },
  {
    icon: 'shield',
    title: 'Replacement coverage',
    text: 'Nails and potholes for {{coverageMonths}} months, if you add it.',
    path: paths.written('tire-replacement-coverage'),
  },
  {
    icon: 'van',
    title: 'Mobile installation',
    text: 'In many places a van comes to you.',
    path: paths.written('mobile-tire-installation'),
  },
  {
    icon: 'wrench',
    title: 'Roadside assistance',
    text: '{{roadsideMonths}} months, with {{roadsideTires}} or more tires and installation.',
    path: paths.written('roadside-assistance'),
  },
  {
    icon: 'clock',
    title: 'Daily deals',
    text: 'Up to {{dailyDealPercent}} off, with the hour they end.',
    path: paths.deals(),
  },
  {
    icon: 'calendar',
    title: 'Pay later',
    text: 'What it costs, and what is open now.',
    path: paths.written('financing'),
    requires: 'payLater',
  },
  {
    icon: 'person',
    title: 'Referral rewards',
    text: '{{referrerReward}} for you, up to {{referralPercent}} off for a friend.',
    path: paths.written('referral-rewards'),
  },
  {
    icon: 'car',
    title: 'Recommendations',
    text: 'Four questions about how you drive, {{topPicks}} tires.',
    path: paths.recommendations(),
  },
  { icon: 'question', title: 'Help center', text: 'Answers at any hour, people in support hours.', path: paths.help() },
]

const roadHazard: Claim = {
  icon: 'shield',
  title: 'Road hazard plan',
  text: 'Nails and potholes for {{roadHazardMonths}} months, if you add it.',
  path: serverPaths.coverageClaim(),
}

/** The claims of a branded store: its plan in place of ours, and no van of another shop. */
export function listStoreClaims(): Claim[] {
  const others = new Set([paths.written('mobile-tire-installation')])
  const fill = (text: string) => fillConstants(text, 'The claims')
  return listClaims()
    .filter(({ path }) => !others.has(path))
    .map((claim) =>
      claim.path === paths.written('tire-replacement-coverage')
        ? { ...roadHazard, text: fill(roadHazard.text) }
        : claim,
    )
}

/** Returns the claims the store keeps today, with their numbers filled in. `on` says which capabilities are on. */
export function listClaims(on: Readonly<Record<Capability, boolean>> = capabilities): Claim[] {
  const fill = (text: string) => fillConstants(text, 'The claims')
  return claims
    .filter(({ requires }) => requires === undefined || on[requires])
    .map(({ icon, title, text, path }) => ({ icon, title: fill(title), text: fill(text), path }))
}
