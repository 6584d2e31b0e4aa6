/** The store's commitments, one line each, with a link to the page for each. The numbers come from the code. */
import { paths } from '#content/paths.ts'
import { sellsProgram, type StoreKind, type StoreProgram } from '#domain/pricing/store-programs/store-programs.ts'
import type { Claim } from '#app/ui/claims.tsx'
import { capabilities, type Capability } from './capabilities.ts'
import { fillConstants } from './constants.server.ts'

/** `requires`: the capability that must be on for the claim to be made; `program`: what the store must sell. */
const claims: readonly (Claim & { requires?: Capability; program?: StoreProgram })[] = [
  {
    icon: 'truck',
    title: '{{#if freeShipping}}Free shipping{{else}}Shipping{{/if}}',
    text: '{{#if freeShipping}}Everywhere in the {{freeShippingArea}}.{{else}}In every price out the door.{{/if}}',
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
    text: 'Nails and potholes for {{coverageMonths month}}, if you add it.',
    path: paths.written('tire-replacement-coverage'),
    program: 'replacementCoverage',
  },
  {
    icon: 'shield',
    title: 'Road hazard plan',
    text: 'Nails and potholes for {{roadHazardMonths month}}, if you add it.',
    path: paths.written('tire-replacement-coverage'),
    program: 'roadHazardPlan',
  },
  {
    icon: 'van',
    title: 'Mobile installation',
    text: 'In many places a van comes to you.',
    path: paths.written('mobile-tire-installation'),
    program: 'mobileInstallation',
  },
  {
    icon: 'wrench',
    title: 'Roadside assistance',
    text: '{{roadsideMonths month}}, with {{roadsideTires}} or more tires and installation.',
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
    text: 'Prices and open locations.',
    path: paths.written('financing'),
    requires: 'payLater',
  },
  {
    icon: 'person',
    title: 'Referral rewards',
    text: '{{referrerReward}} for you, {{referralPercent}} off for a friend.',
    path: paths.written('referral-rewards'),
  },
  {
    icon: 'car',
    title: 'Recommendations',
    text: 'Four questions about how you drive, {{topPicks tire}}.',
    path: paths.recommendations(),
  },
  { icon: 'question', title: 'Help center', text: 'Answers at any hour, people in support hours.', path: paths.help() },
]

/**
 * Returns the current claims of this kind of store with their numbers filled in. `on` states which capabilities are
 * enabled.
 */
export function listClaims(store: StoreKind, on: Readonly<Record<Capability, boolean>> = capabilities): Claim[] {
  const fill = (text: string) => fillConstants(text, 'The claims', { store })
  return claims
    .filter(
      ({ requires, program }) =>
        (requires === undefined || on[requires]) && (program === undefined || sellsProgram(store, program)),
    )
    .map(({ icon, title, text, path }) => ({ icon, title: fill(title), text: fill(text), path }))
}
