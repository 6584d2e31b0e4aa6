import type { PoolClient } from 'pg'
import type { TireFilter } from '#domain/catalog/catalog/catalog.ts'
import { draftRebate, scheduleRebate } from '#domain/catalog/promotions/promotions.server.ts'
import type { RebateDraft } from '#domain/catalog/promotions/promotions.ts'
import type { Line } from './lines.ts'
import { randomStream } from './random.ts'
import { accepted, byDemo, depsAt } from './seed-transaction.ts'

const everyTire: TireFilter = {
  type: null,
  category: null,
  size: null,
  season: null,
  vehicleClass: null,
  supplier: null,
}

const storeZone = 'America/New_York'

/** The rebates on the demo's home page, in cents for four tires. */
const namedRebates: readonly (readonly [brand: string, cents: number])[] = [['Kestrel', 6_000]]

/**
 * Returns manufacturer rebates on a brand, its winter tires, or a model, for purchases in the weeks around the seeding
 * day. Claims are open for another month. Only for models with items.
 */
export function makeRebates(lines: readonly Line[], now: Temporal.Instant): RebateDraft[] {
  const random = randomStream('rebates')
  const today = now.toZonedDateTimeISO(storeZone).startOfDay()
  const brands = [...new Map(lines.map((line) => [line.brand.id, line.brand])).values()]
  const named = namedRebates.flatMap(([name, cents]) =>
    brands.filter((brand) => brand.name === name).map((brand) => ({ brand, line: null, season: null, cents })),
  )
  const others = random
    .shuffled(brands.filter((brand) => !named.some((known) => known.brand.id === brand.id)))
    .slice(0, Math.ceil(brands.length / 4))
  const chosen = others.map((brand) => {
    const line = random.chance(0.6) ? random.pick(lines.filter((candidate) => candidate.brand.id === brand.id)) : null
    const isWinter = line === null && lines.some((candidate) => candidate.brand.id === brand.id && candidate.winter)
    return {
      brand,
      line,
      season: isWinter ? ('winter' as const) : null,
      cents: random.pick([4_000, 5_000, 7_000, 8_000, 10_000]),
    }
  })
  return [...named, ...chosen].map(({ brand, line, season, cents }) => {
    const what = line ? `${brand.name} ${line.name}` : season ? `${brand.name} winter tires` : brand.name
    const ends = today.add({ days: random.between(14, 45) })
    return {
      name: `${what} $${cents / 100} rebate`,
      amountCents: cents,
      units: 4,
      paidAs: random.pick(['prepaid-card', 'check'] as const),
      subject: line ? `${brand.slug}/${line.slug}` : brand.slug,
      ...everyTire,
      season,
      formUrl: null,
      mailTo: `${brand.name} Rebate Desk, PO Box 100, Sampletown, OH 00000`,
      startsAt: today.subtract({ days: random.between(5, 25) }).toInstant(),
      endsAt: ends.toInstant(),
      lastClaimOn: ends.add({ days: 30 }).toPlainDate().toString(),
    }
  })
}

/** Drafts and schedules the rebates as staff do, and leaves next month's as a draft. They are numbered from 1, in order. */
export async function loadRebates(client: PoolClient, lines: readonly Line[], now: Temporal.Instant): Promise<void> {
  const deps = depsAt(client, now)
  const rebates = makeRebates(lines, now)
  for (const draft of rebates) {
    const id = accepted(`The rebate ${draft.name}`, await draftRebate(deps, byDemo, draft))
    accepted(`The schedule of ${draft.name}`, await scheduleRebate(deps, byDemo, { id, version: 1 }))
  }
  const [first] = rebates
  if (first) accepted('The draft of a rebate', await draftRebate(deps, byDemo, nextMonths(first)))
}

/** The same amount on light truck tires in the month after a rebate. */
function nextMonths(rebate: RebateDraft): RebateDraft {
  const ends = rebate.endsAt.toZonedDateTimeISO(storeZone).add({ days: 30 })
  return {
    ...rebate,
    name: rebate.name.replace(' $', ' light truck $'),
    vehicleClass: 'light-truck',
    startsAt: rebate.endsAt,
    endsAt: ends.toInstant(),
    lastClaimOn: ends.add({ days: 30 }).toPlainDate().toString(),
  }
}
