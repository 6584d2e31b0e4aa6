import type { PoolClient } from 'pg'
import { addRebate } from '#domain/catalog/catalog/catalog.server.ts'
import type { RebateDraft } from '#domain/catalog/catalog/catalog.ts'
import type { Line } from './lines.ts'
import { randomStream } from './random.ts'
import { accepted, byDemo, depsAt } from './seed-transaction.ts'

const storeZone = 'America/New_York'

/** The rebates on the demo's home page, in cents for four tires. */
const namedRebates: readonly (readonly [brand: string, cents: number])[] = [['Kestrel', 6_000]]

/**
 * Returns manufacturer rebates on a brand or a model, for purchases in the weeks around the seeding day. Claims are
 * open for another month. Only for models with items.
 */
export function makeRebates(lines: readonly Line[], now: Temporal.Instant): RebateDraft[] {
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
      name: `${what} $${cents / 100} rebate`,
      amountCents: cents,
      units: 4,
      paidAs: random.pick(['prepaid-card', 'check'] as const),
      subject: line ? `${brand.slug}/${line.slug}` : brand.slug,
      formUrl: null,
      mailTo: `${brand.name} Rebate Desk, PO Box 100, Sampletown, OH 00000`,
      startsAt: today.subtract({ days: random.between(5, 25) }).toInstant(),
      endsAt: ends.toInstant(),
      lastClaimOn: ends.add({ days: 30 }).toPlainDate().toString(),
      version: 0,
    }
  })
}

/** Adds the rebates as staff do. They are numbered from 1, in order. */
export async function loadRebates(client: PoolClient, lines: readonly Line[], now: Temporal.Instant): Promise<void> {
  const deps = depsAt(client, now)
  for (const draft of makeRebates(lines, now))
    accepted(`The rebate ${draft.name}`, await addRebate(deps, byDemo, draft))
}
