/** Composing quotes, which means starting, saving and copying drafts. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { labelsOf, pricesAtLabel, type QuoteDeps } from './price-quote.server.ts'
import { insertCopy, insertDraft, lockQuote, updateDraft, type Quote, type QuoteLine } from './quotes.sql.server.ts'
import {
  mostQuoteLines,
  openableStates,
  quoteDays,
  quoteNumber,
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
}

/**
 * Saves a draft. Prices that weren't typed are today's prices for its label. Refuses with `not-allowed`, `not-found`,
 * `not-a-draft`, `changed-meanwhile` if another page saved it since, and `too-many-tires`.
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
  >
> {
  if (draft.lines.length > mostQuoteLines) return refused('too-many-tires')
  const at = deps.clock.now()
  const lines = await pricesAtLabel(deps, draft)
  return deps.db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'quotes.write', at)
    if (!permitted.ok) return permitted
    const quote = await lockQuote(tx, id)
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
    await updateDraft(tx, id, { ...draft, ...place, suggestion: suggestion ?? null, lines, at })
    return ok({ revision: quote.revision + 1 })
  })
}

/**
 * Copies a sent quote into a draft of its next version and returns that draft's id. Idempotent. The sent one stays good
 * until the new version is sent. Refuses quotes that were never sent or are ordered.
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
    const quote = await lockQuote(tx, id)
    if (!quote) return refused('not-found')
    const copied: readonly QuoteState[] = [...openableStates, 'expired']
    if (!copied.includes(quote.state)) return refused('not-sent', { state: quote.state })
    const goodThrough = storeDay(at).add({ days: quoteDays.usual })
    const draft = await insertCopy(tx, quote, { key, isVersion: true, goodThrough, by: by.name, at })
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
    const quote = await lockQuote(tx, id)
    if (!quote) return refused('not-found')
    const goodThrough = storeDay(at).add({ days: quoteDays.usual })
    const draft = await insertCopy(tx, quote, { key, isVersion: false, goodThrough, by: by.name, at })
    const after = { email: quote.email }
    if (draft.isNew) await recordAct(tx, { by, act: 'quote.started', subject: quoteNumber(draft.id), after, at })
    return ok({ id: draft.id })
  })
}
