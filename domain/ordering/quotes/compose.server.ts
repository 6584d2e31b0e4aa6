/** Composing quotes, which means starting, saving and copying drafts. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { labelsOf, pricesAtLabel, type QuoteDeps } from './price-quote.server.ts'
import { writeVehicles } from './quote-vehicles.server.ts'
import { lockVehicles } from './quote-vehicles.sql.server.ts'
import { insertCopy, insertDraft, lockQuote, updateDraft, type Quote, type QuoteLine } from './quotes.sql.server.ts'
import {
  mostQuoteLines,
  mostQuoteVehicles,
  mostWholeLines,
  openableStates,
  quoteDays,
  quoteNumber,
  wholeState,
  type NewQuote,
  type QuoteChange,
  type QuoteState,
} from './quotes.ts'

type NotAllowed = Refused<'not-allowed'>

/**
 * Starts a draft with the account's price label and returns its id. Resubmitting the form returns the
 * same draft. Refuses `not-allowed`.
 */
export async function startQuote(
  deps: QuoteDeps,
  by: Actor,
  { key, name, email, phone, accountId }: Omit<NewQuote, 'account'> & { accountId: string | null },
): Promise<Outcome<{ id: number }, NotAllowed>> {
  const at = deps.clock.now()
  const [, label = 'Retail'] = await labelsOf(deps, accountId)
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const { id, isNew } = await insertDraft(tx, {
      key,
      name,
      email,
      phone,
      accountId,
      label: accountId === null ? 'Retail' : label,
      goodThrough: storeDay(at).add({ days: quoteDays.usual }),
      by: { name: by.name, accountId: null },
      at,
    })
    if (isNew) await recordAct(tx, { by, act: 'quote.started', subject: quoteNumber(id), after: { email }, at })
    return ok({ id })
  })
}

/** A saved draft with all its fields and tires. */
export type SavedDraft = Omit<
  QuoteChange,
  | 'account'
  | 'vehicle'
  | 'shop'
  | 'warehouse'
  | 'carrierLocation'
  | 'address1'
  | 'address2'
  | 'city'
  | 'state'
  | 'slot'
  | 'lines'
  | 'others'
> & {
  address: Quote['address']
  accountId: string | null
  vehicle: Quote['vehicle']
  shopId: number | null
  pickupWarehouseId: number | null
  carrierLocationId: number | null
  /** A suggested time at the shop, as `choiceValue` has it. */
  suggestion?: string | null
  lines: readonly Omit<QuoteLine, 'costCents'>[]
  /** The vehicles after the first. */
  others?: readonly { vehicle: Quote['vehicle']; lines: readonly Omit<QuoteLine, 'costCents'>[] }[]
}

/**
 * Saves a draft. Prices that weren't typed are today's prices for its label. Refuses with `not-allowed`, `not-found`,
 * `not-a-draft`, `changed-meanwhile` if another page saved it since, `too-many-tires`, and
 * `too-many-vehicles`.
 */
export async function saveQuote(
  deps: QuoteDeps,
  by: Actor,
  id: number,
  draft: SavedDraft,
): Promise<
  Outcome<
    { revision: number },
    | NotAllowed
    | Refused<'not-found'>
    | Refused<'not-a-draft'>
    | Refused<'changed-meanwhile'>
    | Refused<'too-many-tires'>
    | Refused<'too-many-vehicles'>
  >
> {
  const { others = [], ...first } = draft
  const counts = [first, ...others].map(({ lines: tires }) => tires.length)
  const isTooMany = Math.max(...counts) > mostQuoteLines || counts.reduce((sum, count) => sum + count) > mostWholeLines
  if (isTooMany) return refused('too-many-tires')
  if (others.length >= mostQuoteVehicles) return refused('too-many-vehicles')
  const at = deps.clock.now()
  const lines = await pricesAtLabel(deps, first)
  const vehicles = await Promise.all(
    others.map(async (other) => ({ ...other, lines: await pricesAtLabel(deps, { ...first, lines: other.lines }) })),
  )
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const [quote] = await lockVehicles(tx, id)
    if (!quote) return refused('not-found')
    if (quote.state !== 'draft') return refused('not-a-draft')
    if (quote.revision !== draft.revision) return refused('changed-meanwhile')
    const { fulfillment } = draft
    const place = {
      shopId: fulfillment === 'shop' ? draft.shopId : null,
      pickupWarehouseId: fulfillment === 'warehouse-pickup' ? draft.pickupWarehouseId : null,
      carrierLocationId: fulfillment === 'carrier-pickup' ? draft.carrierLocationId : null,
    }
    const suggestion = place.shopId === null ? null : draft.suggestion
    const shared = { ...first, ...place, at }
    await updateDraft(tx, id, { ...shared, suggestion: suggestion ?? null, lines })
    await writeVehicles(tx, { main: quote, vehicles, by: by.name }, shared)
    return ok({ revision: quote.revision + 1 })
  })
}

/**
 * Copies a sent quote into a draft of its next version and returns that draft's id. Idempotent. The sent one stays good
 * until the new version is sent. Vehicles that are ordered aren't copied. Refuses quotes that were never sent or are
 * ordered.
 */
export async function startVersion(
  deps: QuoteDeps,
  by: Actor,
  { id, key }: { id: number; key: string },
): Promise<Outcome<{ id: number }, NotAllowed | Refused<'not-found'> | Refused<'not-sent', { state: QuoteState }>>> {
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const vehicles = await lockVehicles(tx, id)
    const [quote] = vehicles
    if (!quote) return refused('not-found')
    const copied: readonly QuoteState[] = [...openableStates, 'expired']
    if (!copied.includes(wholeState(vehicles.filter(({ state }) => state !== 'ordered'))))
      return refused('not-sent', { state: quote.state })
    const draft = await copyVehicles(tx, vehicles, { key, isVersion: true, by: by.name, at })
    return ok({ id: draft.id })
  })
}

/**
 * Copies a quote in any state into a draft of another quote, and returns that draft's id. The same form makes one copy.
 * A copy of an account's quote is written by the staff member.
 */
export async function copyQuote(
  deps: QuoteDeps,
  by: Actor,
  { id, key }: { id: number; key: string },
): Promise<Outcome<{ id: number }, NotAllowed | Refused<'not-found'>>> {
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const vehicles = await lockVehicles(tx, id)
    const [quote] = vehicles
    if (!quote) return refused('not-found')
    const draft = await copyVehicles(tx, vehicles, { key, isVersion: false, by: by.name, at })
    const after = { email: quote.email }
    if (draft.isNew) await recordAct(tx, { by, act: 'quote.started', subject: quoteNumber(draft.id), after, at })
    return ok({ id: draft.id })
  })
}

/** Copies a locked quote's vehicles into a draft. A version gets only vehicles without an order. */
async function copyVehicles(
  tx: Tx,
  vehicles: readonly Quote[],
  draft: { key: string; isVersion: boolean; by: string; at: Temporal.Instant },
): Promise<{ id: number; isNew: boolean }> {
  const [main] = vehicles
  const [first, ...others] = draft.isVersion ? vehicles.filter(({ state }) => state !== 'ordered') : vehicles
  if (!main || !first) throw new Error('A quote without vehicles is not copied.')
  const goodThrough = storeDay(draft.at).add({ days: quoteDays.usual })
  const { vehicle, lines, suggestion } = first
  const copy = await insertCopy(tx, { ...main, vehicle, lines, suggestion }, { ...draft, goodThrough })
  const written = copy.isNew ? await lockQuote(tx, copy.id) : undefined
  if (written) await writeVehicles(tx, { main: written, vehicles: others, by: draft.by }, { ...written, at: draft.at })
  return copy
}
