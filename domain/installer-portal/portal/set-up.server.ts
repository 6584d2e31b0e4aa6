/** Shop onboarding, where each step is saved separately, and the shop opens when all are complete. */
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import { countBays, replaceBays } from '#domain/scheduling/booking/booking.server.ts'
import type { OpeningHours, ShopClosure } from '#domain/scheduling/installers/installers.ts'
import {
  addClosure,
  lockShopInSetUp,
  offerShop,
  readShopTerms,
  removeClosure,
  replaceHours,
  replaceRates,
  setJobLengths,
} from '#domain/scheduling/installers/installers.server.ts'
import type { PortalPermission } from './portal-roles.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import type { LengthsInput, PricesInput } from './set-up-form.ts'
import { deleteStep, selectSavedSteps, upsertStep } from './set-up.sql.server.ts'
import { missingSteps, mostBlackoutDays, pricedJobs, type SetUp, type SetUpStep } from './set-up.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
type Shop = { shopId: number; timeZone: string }
type SetUpRefusal = Refused<'not-allowed'> | Refused<'open-already'>
type Saved = Outcome<null, SetUpRefusal>

/** What a shop has entered, with its closed days from today on its clock. */
export async function readSetUp({ db, clock }: Deps, shop: Shop): Promise<SetUp> {
  return readAt(db, shop, clock.now())
}

async function readAt(db: Database, { shopId, timeZone }: Shop, now: Temporal.Instant): Promise<SetUp> {
  const terms = await readShopTerms(db, shopId, now.toZonedDateTimeISO(timeZone).toPlainDate())
  if (!terms) throw new Error(`There is no shop ${shopId}.`)
  const { isInSetUp, hours, rates, slotMinutes, closures } = terms
  return {
    isOpen: !isInSetUp,
    hours,
    rates,
    slotMinutes,
    closures,
    ...(await countBays(db, shopId)),
    saved: await selectSavedSteps(db, shopId),
  }
}

/** Saves the shop's opening hours. Refuses with `not-allowed`, and `open-already` after onboarding. */
export function saveHours(deps: Deps, by: PortalActor, hours: readonly OpeningHours[]): Promise<Saved> {
  return save<never>(deps, by, 'hours', async (tx) => {
    await replaceHours(tx, by.shopId, hours)
    return ok(null)
  })
}

/** Saves the number of bays, and of cars that can be dropped off at a time. Refuses as `saveHours` does. */
export function saveBays(deps: Deps, by: PortalActor, places: { bays: number; dropOffs: number }): Promise<Saved> {
  return save<never>(deps, by, 'bays', async (tx) => {
    await replaceBays(tx, by.shopId, places)
    return ok(null)
  })
}

/**
 * Saves the prices. A newly offered service uses the usual minutes until the owner saves the service durations, which
 * become incomplete again. Refuses as `saveHours` does.
 */
export function savePrices(
  deps: Deps,
  by: PortalActor,
  { prices, serviceKitCents, disposalCents, timeZone }: PricesInput & { timeZone: string },
): Promise<Saved> {
  return save<never>(deps, by, 'prices', async (tx, now) => {
    const { rates } = await readAt(tx, { shopId: by.shopId, timeZone }, now)
    const minutesOf = (job: string) =>
      rates.find((rate) => rate.job === job)?.minutesPerTire ??
      pricedJobs.find((each) => each.job === job)?.minutes ??
      15
    if (prices.some(({ job }) => !rates.some((rate) => rate.job === job))) await deleteStep(tx, by.shopId, 'lengths')
    await replaceRates(
      tx,
      by.shopId,
      prices.map((price) => ({ ...price, serviceKitCents, disposalCents, minutesPerTire: minutesOf(price.job) })),
    )
    return ok(null)
  })
}

/** Saves the job lengths of the kinds of work that have prices. Refuses as `saveHours` does, and `no-prices`. */
export function saveLengths(
  deps: Deps,
  by: PortalActor,
  { timeZone, ...lengths }: LengthsInput & { timeZone: string },
): Promise<Outcome<null, SetUpRefusal | Refused<'no-prices'>>> {
  return save(deps, by, 'lengths', async (tx, now) => {
    const { rates } = await readAt(tx, { shopId: by.shopId, timeZone }, now)
    if (rates.length === 0) return refused('no-prices')
    await setJobLengths(tx, by.shopId, lengths)
    return ok(null)
  })
}

/**
 * Adds or removes a blackout day, or with neither marks the list as complete. Refuses as `saveHours` does, with `past`
 * for a day that is over at the shop, and `too-many`.
 */
export function saveBlackoutDays(
  deps: Deps,
  by: PortalActor,
  { timeZone, add, remove }: { timeZone: string; add?: ShopClosure; remove?: string },
): Promise<Outcome<null, SetUpRefusal | Refused<'past'> | Refused<'too-many'>>> {
  return save(deps, by, 'blackout-days', async (tx, now) => {
    if (remove !== undefined) await removeClosure(tx, by.shopId, remove)
    if (add) {
      const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
      if (Temporal.PlainDate.compare(Temporal.PlainDate.from(add.on), today) < 0) return refused('past')
      const { closures } = await readAt(tx, { shopId: by.shopId, timeZone }, now)
      if (closures.length >= mostBlackoutDays) return refused('too-many')
      await addClosure(tx, by.shopId, add)
    }
    return ok(null)
  })
}

/** Opens the shop for shoppers. Refuses with `not-allowed`, `open-already`, and `incomplete` with the missing steps. */
export function openShop(
  deps: Deps,
  by: PortalActor,
  timeZone: string,
): Promise<Outcome<null, SetUpRefusal | Refused<'incomplete', SetUpStep[]>>> {
  return act(deps, by, { permission: 'shop.open', step: 'opened' }, async (tx, now) => {
    const missing = missingSteps(await readAt(tx, { shopId: by.shopId, timeZone }, now))
    if (missing.length > 0) return refused('incomplete', missing)
    await offerShop(tx, by.shopId)
    await announceCatalogChange(tx)
    return ok(null)
  })
}

function save<Refusal extends Refused<string, unknown>>(
  deps: Deps,
  by: PortalActor,
  step: SetUpStep,
  change: (tx: Tx, now: Temporal.Instant) => Promise<Outcome<null, Refusal>>,
): Promise<Outcome<null, SetUpRefusal | Refusal>> {
  return act(deps, by, { permission: 'set-up.edit', step }, change)
}

/** Checks the actor and that the shop is in set-up, changes it, and notes the step: all in one transaction. */
function act<Refusal extends Refused<string, unknown>>(
  { db, clock }: Deps,
  by: PortalActor,
  { permission, step }: { permission: PortalPermission; step: SetUpStep | 'opened' },
  change: (tx: Tx, now: Temporal.Instant) => Promise<Outcome<null, Refusal>>,
): Promise<Outcome<null, SetUpRefusal | Refusal>> {
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, permission, now)
    if (!member.ok) return member
    if (!(await lockShopInSetUp(tx, by.shopId))) return refused('open-already')
    const changed = await change(tx, now)
    if (changed.ok) await upsertStep(tx, { shopId: by.shopId, step, at: now, by: member.value.memberId })
    return changed
  })
}
