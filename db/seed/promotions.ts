import type { Row } from '#db/insert-rows.ts'
import type { Item } from './items.ts'
import type { Line } from './lines.ts'
import { randomStream, type Random } from './random.ts'
import { slugOf } from '#platform/slug.ts'

type Promotion = Row<'promotion'>

/** The zone of the store's own day. */
const storeZone = 'America/New_York'
const daysOfDailyDeals = 45
const dealsPerDay = 8

/** The home page's promotions, by model with the cents off each tire. */
const namedOffers: readonly (readonly [string, number, Promotion['funded_by']])[] = [
  ['Kestrel Alltide AS2', 1_600, 'store'],
  ['Tarn Fellgrip AW', 1_500, 'maker'],
  ['Northpass Meridian HT', 1_300, 'store'],
]

/**
 * Offers that run on the day of seeding, and a few deals for each of the following days. Only for lines and brands that
 * have items.
 */
export function makePromotions(lines: readonly Line[], items: readonly Item[], now: Temporal.Instant): Promotion[] {
  const random = randomStream('promotions')
  const promotions: Promotion[] = []
  const taken = new Set<number>()
  for (const [name, cents, fundedBy] of namedOffers) {
    const line = lines.find((candidate) => `${candidate.brand.name} ${candidate.name}` === name)
    if (line === undefined) continue
    taken.add(line.id)
    promotions.push({ ...flatOffer(line, cents), funded_by: fundedBy, ...period(now, random) })
  }
  for (const line of random.shuffled(lines).slice(0, Math.round(lines.length / 7))) {
    if (taken.has(line.id)) continue
    taken.add(line.id)
    const fundedBy = random.weighted(['store', 'maker'] as const, (payer) => (payer === 'store' ? 3 : 2))
    promotions.push({ ...offerOn(line, random), funded_by: fundedBy, ...period(now, random) })
  }
  const brands = [...new Map(lines.map((line) => [line.brand.id, line.brand])).values()]
  for (const brand of random.shuffled(brands).slice(0, Math.ceil(brands.length / 5))) {
    const percent = random.pick([5, 6, 8, 10])
    promotions.push({
      ...offer(
        `${brand.slug}-${percent}-percent`,
        `${brand.name} ${percent}% off`,
        `${percent}% off every ${brand.name} tire`,
        'Percentage',
        percent,
      ),
      brand_id: brand.id,
      funded_by: 'maker',
      link_to_coverage: random.chance(0.3),
      ...period(now, random),
    })
  }
  return [...promotions, ...dailyDeals(lines, items, now, random)]
}

function offerOn(line: Line, random: Random): Omit<Promotion, 'funded_by' | 'starts_at' | 'ends_at'> {
  const name = `${line.brand.name} ${line.name}`
  const kind = random.weighted(
    ['Flat Amount', 'Percentage', 'Buy3Get1'] as const,
    (candidate) => ({ 'Flat Amount': 6, Percentage: 4, Buy3Get1: 1.4 })[candidate],
  )
  if (kind === 'Flat Amount') return flatOffer(line, random.pick([750, 1_000, 1_250, 1_500, 2_000]))
  if (kind === 'Buy3Get1')
    return {
      ...offer(`${slugOf(name)}-buy-3-get-1`, `${name}: buy 3, get 1`, `Buy 3 ${name}, get the 4th free`, kind, 0),
      product_line_id: line.id,
    }
  const percent = random.pick([6, 8, 10, 12, 15])
  return {
    ...offer(`${slugOf(name)}-${percent}-percent`, `${name} ${percent}% off`, `${percent}% off ${name}`, kind, percent),
    product_line_id: line.id,
    link_to_coverage: random.chance(0.2),
  }
}

function flatOffer(line: Line, cents: number): Omit<Promotion, 'funded_by' | 'starts_at' | 'ends_at'> {
  const name = `${line.brand.name} ${line.name}`
  const dollars = cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2)
  return {
    ...offer(
      `${slugOf(name)}-${slugOf(dollars)}-off`,
      `${name} $${dollars} off`,
      `Save $${dollars} a tire on ${name}`,
      'Flat Amount',
      cents,
    ),
    product_line_id: line.id,
  }
}

/** Up to 20 % off single items, from midnight to midnight, on consecutive days. */
function dailyDeals(
  lines: readonly Line[],
  items: readonly Item[],
  now: Temporal.Instant,
  random: Random,
): Promotion[] {
  const lineOf = new Map(lines.map((line) => [line.id, line]))
  const today = now.toZonedDateTimeISO(storeZone).startOfDay()
  const chosen = random
    .shuffled(items.filter((item) => item.utqg_treadwear !== null))
    .slice(0, daysOfDailyDeals * dealsPerDay)
  return chosen.map((item, index) => {
    const line = lineOf.get(item.product_line_id)
    const name = `${line?.brand.name} ${line?.name}`
    const percent = random.pick([10, 12, 15, 18, 20])
    const starts = today.add({ days: Math.floor(index / dealsPerDay) })
    return {
      ...offer(
        `daily-${starts.toPlainDate()}-${item.id}`,
        `Deal of the day: ${name}`,
        `${percent}% off ${name}, today only`,
        'Percentage',
        percent,
      ),
      item_id: item.id,
      daily: true,
      funded_by: 'store',
      starts_at: starts.toInstant(),
      ends_at: starts.add({ days: 1 }).toInstant(),
    }
  })
}

/** Every row has all columns, as a single insert requires. */
function offer(
  slug: string,
  name: string,
  headline: string,
  kind: string,
  amount: number,
): Omit<Promotion, 'funded_by' | 'starts_at' | 'ends_at'> {
  return {
    slug,
    name,
    headline,
    kind,
    amount,
    brand_id: null,
    product_line_id: null,
    item_id: null,
    already_applied: false,
    link_to_coverage: false,
    daily: false,
  }
}

/** Started up to three weeks ago and ends, at midnight, in 10 to 40 days. */
function period(now: Temporal.Instant, random: Random): Pick<Promotion, 'starts_at' | 'ends_at'> {
  const today = now.toZonedDateTimeISO(storeZone).startOfDay()
  return {
    starts_at: today.subtract({ days: random.between(1, 20) }).toInstant(),
    ends_at: today.add({ days: random.between(11, 40) }).toInstant(),
  }
}
