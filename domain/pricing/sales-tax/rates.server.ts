/** A location's tax rule, from the imported rates by ZIP code or state, or from its state's built-in rates. */
import { importedTaxRule, taxRuleFor, type TaxPart, type TaxRule } from '#domain/pricing/pricing/pricing.ts'
import type { Database } from '#platform/db.ts'
import type { RateRow } from './rate-rows.ts'
import { selectPlaceRates, selectRatePage, type PlaceRates } from './rates.sql.server.ts'
import type { TaxPlace } from './sales-tax.ts'

/** The rule of a place; `answer` if its rate is the tax provider's last one. */
export type PlaceRule = TaxRule & { readonly origin: 'answer' | 'table' }

/** The rules of some places on their day, by ZIP. */
export type TaxRules = (place: TaxPlace) => PlaceRule

/** How long the provider's last answer for a ZIP is better than the table. */
const answerDays = 90

/**
 * Reads tax rules for locations by local date, with one query per date. The returned function throws for a state
 * without a rule, because we don't ship there.
 */
export async function readTaxRules(
  db: Database,
  places: readonly (TaxPlace & { readonly day: Temporal.PlainDate })[],
): Promise<TaxRules> {
  const byDay = Map.groupBy(places, ({ day }) => day.toString())
  const rules = new Map<string, PlaceRule | null>()
  await Promise.all(
    [...byDay].map(async ([day, there]) => {
      const ruleOf = await rulesOn(db, there, { day: Temporal.PlainDate.from(day), asOf: null })
      for (const place of there) rules.set(keyOf(place), ruleOf(place))
    }),
  )
  return (place) => {
    const rule = rules.get(keyOf(place))
    if (!rule) throw new RangeError(`There is no tax rule for ${place.zip} in ${place.state}.`)
    return rule
  }
}

/**
 * Returns a location's rule on a day. Null for a state we don't ship to. With `asOf`, such as the time of an order,
 * uses the state's rates as staff had set them by then.
 */
export async function findTaxRule(
  db: Database,
  place: TaxPlace,
  day: Temporal.PlainDate,
  asOf?: Temporal.Instant,
): Promise<PlaceRule | null> {
  return (await rulesOn(db, [place], { day, asOf: asOf?.toString() ?? null }))(place)
}

function keyOf({ zip, state }: TaxPlace): string {
  return `${state} ${zip}`
}

async function rulesOn(
  db: Database,
  places: readonly TaxPlace[],
  { day, asOf }: { day: Temporal.PlainDate; asOf: string | null },
): Promise<(place: TaxPlace) => PlaceRule | null> {
  const since = day.subtract({ days: answerDays }).toString()
  const found = await selectPlaceRates(db, places, { day: day.toString(), since, asOf })
  return ({ zip, state }) => {
    const answer = found.answers.find((each) => each.zip === zip && each.state === state)
    if (!answer) return fromTable(found, { zip, state }, day)
    const source = 'The tax provider’s last answer'
    const rule = importedTaxRule(state, day, { scope: 'zip', parts: answer.parts, source }, editOf(found, state))
    return rule && { ...rule, origin: 'answer' }
  }
}

function editOf({ edits }: PlaceRates, state: string): PlaceRates['edits'][number] | undefined {
  return edits.find((each) => each.state === state)
}

function fromTable(found: PlaceRates, { zip, state }: TaxPlace, day: Temporal.PlainDate): PlaceRule | null {
  const { rows } = found
  const edit = editOf(found, state)
  const base = taxRuleFor(state, day, edit)
  const row = rows.find((each) => each.zip === zip) ?? rows.find((each) => each.zip === null && each.state === state)
  if (!base) return null
  if (!row) return { ...base, origin: 'table' }
  const parts = partsOf(row, base.stateName)
  const scope = row.zip === null ? 'state' : 'zip'
  const rule = importedTaxRule(state, day, { scope, parts, source: row.source }, edit)
  return rule && { ...rule, origin: 'table' }
}

function partsOf({ statePpm, county, countyPpm, city, cityPpm, specialPpm }: RateRow, stateName: string): TaxPart[] {
  return [
    { level: 'state', name: stateName, ratePpm: statePpm },
    { level: 'county', name: county ?? 'County', ratePpm: countyPpm },
    { level: 'city', name: city ?? 'City', ratePpm: cityPpm },
    { level: 'special', name: 'Special districts', ratePpm: specialPpm },
  ]
}

const ratesPerPage = 100

/** A page of the imported rates, after the row with this key. */
export async function listRates(
  db: Database,
  after: string | null,
): Promise<{ items: RateRow[]; next: string | null }> {
  const [state = '', zip = '', startsOn = ''] = rateKey.exec(after ?? '')?.slice(1) ?? []
  const place = state === '' ? null : { state, zip, startsOn }
  const found = await selectRatePage(db, place, ratesPerPage + 1)
  const items = found.slice(0, ratesPerPage)
  const last = items.at(-1)
  return {
    items,
    next: found.length > items.length && last ? `${last.state}.${last.zip ?? ''}.${last.startsOn}` : null,
  }
}

const rateKey = /^([A-Z]{2})\.(\d{5}|)\.(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]))$/
