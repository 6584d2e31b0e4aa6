/** Why the area of a van was not saved, and what to do. */
import { areaWithinMiles, mostAreaZips } from '#domain/installer-portal/portal/portal.ts'
import { countOf } from '#platform/count-text.ts'

const list = (zips: readonly string[]) =>
  zips.length > 5 ? `${zips.slice(0, 5).join(', ')} and more` : zips.join(', ')

export const vanAreaMessages = {
  none: 'Enter at least one ZIP code.',
  'too-many': `A van has at most ${countOf(mostAreaZips, 'ZIP code')}.`,
  stale: 'Another team member changed the service area. Review it again, then save.',
  'no-van': 'Only vans have an area.',
  odd: (words: readonly string[]) => `These are not ZIP codes of five digits: ${words.join(', ')}.`,
  bad: ({ unknown, far }: { unknown: readonly string[]; far: readonly string[] }) =>
    [
      unknown.length > 0 ? `These ZIP codes do not exist: ${list(unknown)}.` : '',
      far.length > 0 ? `These are more than ${countOf(areaWithinMiles, 'mile')} away, or on no map: ${list(far)}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
} as const
