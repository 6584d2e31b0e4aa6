import type { Row } from '#db/insert-rows.ts'
import type { Line } from './lines.ts'
import { randomStream } from './random.ts'
import { slugOf } from '#platform/slug.ts'

type Rebate = Row<'rebate'>

const storeZone = 'America/New_York'

/** The rebates on the demo's home page, in cents for four tires. */
const namedRebates: readonly (readonly [brand: string, cents: number])[] = [['Kestrel', 6_000]]

/**
 * Returns manufacturer rebates on a brand or a model, for purchases in the weeks around the seeding day. Claims are
 * open for another month. Only for models with items.
 */
export function makeRebates(lines: readonly Line[], now: Temporal.Instant): Rebate[] {
  const random = randomStream('rebates')
  const today = now.toZonedDateTimeISO(storeZone).startOfDay()
  const brands = [...new Map(lines.map((line) => [line.brand.id, line.brand])).values()]
  const named = namedRebates.flatMap(([name, cents]) =>
    brands.filter((brand) => brand.name === name).map((brand) => ({ brand, line: null, cents })),
  )
  const others = random
    .shuffled(brands.filter((brand) => !named.some((known) => known.brand.id === brand.id)))
    .slice(0, Math.ceil(brands.length / 4))
  const chosen = others.map((brand) => {
    const line = random.chance(0.6) ? random.pick(lines.filter((candidate) => candidate.brand.id === brand.id)) : null
    return { brand, line, cents: random.pick([4_000, 5_000, 7_000, 8_000, 10_000]) }
  })
  return [...named, ...chosen].map(({ brand, line, cents }) => {
    const what = line ? `${brand.name} ${line.name}` : brand.name
    const ends = today.add({ days: random.between(14, 45) })
    return {
      slug: `${slugOf(what)}-${cents / 100}-rebate`,
      name: `${what} $${cents / 100} rebate`,
      amount_cents: cents,
      units: 4,
      paid_as: random.pick(['prepaid-card', 'check']),
      brand_id: line ? null : brand.id,
      product_line_id: line?.id ?? null,
      form_url: null,
      mail_to: `${brand.name} Rebate Desk, PO Box 100, Sampletown, OH 00000`,
      starts_at: today.subtract({ days: random.between(5, 25) }).toInstant(),
      ends_at: ends.toInstant(),
      last_claim_on: ends.add({ days: 30 }).toPlainDate().toString(),
    }
  })
}
