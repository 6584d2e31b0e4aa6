/** What the actions of promotions, coupons, and price lists share: refusal messages, and descriptions for programs. */
import type { RefusalText } from '#app/office/decision.server.ts'
import type { FilterPart } from '#domain/catalog/catalog/catalog.ts'
import { belowMapText, filterOfOneMessage, unknownPartMessages } from '#domain/catalog/promotions/promotions.ts'
import { countOf } from '#platform/count-text.ts'

export const scheduleRefusals = {
  gone: 'This draft was already discarded.',
  'starts-in-past': { field: 'startsAt', text: 'Choose a time in the future.' },
} as const satisfies Record<string, RefusalText>

/** Those that promotions and coupons share. */
export const offerRefusals = {
  ...scheduleRefusals,
  'has-version': 'A new version exists. Discard that draft first.',
  'longer-than-a-day': { field: 'endsAt', text: 'A daily deal ends within a day.' },
  'ends-before-start': { field: 'endsAt', text: 'The end must be after the start.' },
  'original-not-begun': {
    field: 'startsAt',
    text: 'The version it replaces would not have started by then. Withdraw that one, or start later.',
  },
  'below-map': (tires: readonly { sku: string; priceCents: number; mapCents: number }[]): RefusalText =>
    `All of its ${countOf(tires.length, 'tire')} would be below the minimum advertised price: ${belowMapText(tires)}.`,
} as const

/** Refusals of subjects and filters. */
export const subjectRefusals = {
  'no-filter': (part: FilterPart): RefusalText => ({ field: part, text: unknownPartMessages[part] }),
  'filter-of-one': (part: FilterPart): RefusalText => ({ field: part, text: filterOfOneMessage }),
} as const

export const changeDescription = 'Replaces the terms of a draft. A requested approval is withdrawn.'

export const draftDescription =
  '`formKey` is a UUID that you choose: sent again, it returns the same draft. `amount` is dollars such as `20.00`, a percentage, or a number of tires, depending on `kind`. `replaces` is the number of the running one that ends when this one starts.'

export const scheduleDescription =
  'Times are in Eastern Time, such as `2027-03-01T09:00`. Beyond the approval threshold it stays a draft until a second person schedules it.'

export const endDescription = 'Ends a running one now. A scheduled one is withdrawn and becomes a draft again.'
