import type { Row } from '#db/insert-rows.ts'
import { typeAudiences } from './kind-audiences.ts'

/** The kinds of tires a shopper chooses from, in display order. */
export const tireTypes: Row<'tire_type'>[] = [
  {
    slug: 'all-season',
    name: 'All-season',
    definition:
      'One set for the whole year where winters are mild. Marked M+S. Good in rain and light snow, but not made for ice.',
  },
  {
    slug: 'all-weather',
    name: 'All-weather',
    definition:
      'One set for the whole year where it snows. Carries the three-peak mountain snowflake, so it passed a snow traction test.',
  },
  {
    slug: 'summer',
    name: 'Summer',
    definition:
      'The shortest stops and the sharpest steering on warm roads, wet or dry. Not for use below about 40 °F.',
  },
  {
    slug: 'winter',
    name: 'Winter',
    definition:
      'Rubber that stays soft in the cold and a tread full of fine cuts for snow and ice. Use four, and take them off in spring.',
  },
  {
    slug: 'highway',
    name: 'Highway',
    definition:
      'Quiet, long-wearing tires for pickups and SUVs that stay on the road, with or without a trailer behind.',
  },
  {
    slug: 'all-terrain',
    name: 'All-terrain',
    definition:
      'Made for gravel, dirt and snow, yet civil on the way there. A little louder and heavier than a highway tire.',
  },
  {
    slug: 'mud-terrain',
    name: 'Mud-terrain',
    definition:
      'Large open blocks that clean themselves in mud and hold on rock. Loud on the road and quick to wear there.',
  },
  {
    slug: 'commercial',
    name: 'Commercial',
    definition: 'Strong casings for vans, delivery trucks and medium-duty trucks that work every day with a load.',
  },
  {
    slug: 'trailer',
    name: 'Trailer',
    definition: 'Marked ST. Stiff sidewalls against sway. For trailer axles only, never on a car or truck.',
  },
  {
    slug: 'spare',
    name: 'Spare',
    definition: 'Marked T. A small tire that gets you to a shop, at up to 50 mph for a short distance.',
  },
].map((type, index) => ({ ...type, audience: typeAudiences[type.slug] ?? '', position: index + 1 }))
