/** A location's tax rule, from the imported rates of its ZIP code or state, or its state's built-in rates. */
import { importedTaxRule, stateTaxRules, taxRuleFor, type TaxPart, type TaxRule } from '#domain/pricing/pricing.ts'
import type { Database } from '#platform/db.ts'
import type { RateRow } from './rate-rows.ts'
import { selectPlaceRates, selectRatePage, selectRates } from './rates.sql.server.ts'
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
      const ruleOf = await rulesOn(db, there, Temporal.PlainDate.from(day))
      for (const place of there) rules.set(keyOf(place), ruleOf(place))
    }),
  )
  return (place) => {
    const rule = rules.get(keyOf(place))
    if (!rule) throw new RangeError(`There is no tax rule for ${place.zip} in ${place.state}.`)
    return rule
  }
}

/** Returns a location's rule on a day; null for a state we don't ship to. */
export async function findTaxRule(db: Database, place: TaxPlace, day: Temporal.PlainDate): Promise<PlaceRule | null> {
  return (await rulesOn(db, [place], day))(place)
}

function keyOf({ zip, state }: TaxPlace): string {
  return `${state} ${zip}`
}

async function rulesOn(
  db: Database,
  places: readonly TaxPlace[],
  day: Temporal.PlainDate,
): Promise<(place: TaxPlace) => PlaceRule | null> {
  const since = day.subtract({ days: answerDays }).toString()
  const { rows, answers } = await selectPlaceRates(db, places, { day: day.toString(), since })
  return ({ zip, state }) => {
    const answer = answers.find((each) => each.zip === zip && each.state === state)
    if (!answer) return fromTable(rows, { zip, state }, day)
    const source = 'The tax provider’s last answer'
    const rule = importedTaxRule(state, day, { scope: 'zip', parts: answer.parts, source })
    return rule && { ...rule, origin: 'answer' }
  }
}

function fromTable(rows: readonly RateRow[], { zip, state }: TaxPlace, day: Temporal.PlainDate): PlaceRule | null {
  const base = taxRuleFor(state, day)
  const row = rows.find((each) => each.zip === zip) ?? rows.find((each) => each.zip === null && each.state === state)
  if (!base) return null
  if (!row) return { ...base, origin: 'table' }
  const parts = partsOf(row, base.stateName)
  const scope = row.zip === null ? 'state' : 'zip'
  const rule = importedTaxRule(state, day, { scope, parts, source: row.source })
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

/** The rate of a state on a day, with where it is from; `isImported` if it replaces the built-in one. */
export type StateRateView = { state: string; name: string; ratePpm: number; source: string; isImported: boolean }

/** Lists all states' rates on a day. */
export async function listStateRates(db: Database, day: Temporal.PlainDate): Promise<StateRateView[]> {
  const rules = stateTaxRules(day)
  const places = rules.map(({ stateCode }) => ({ zip: '', state: stateCode }))
  const rows = await selectRates(db, places, day.toString())
  return rules.map(({ stateCode, stateName, ratePpm, source }) => {
    const row = rows.find(({ state }) => state === stateCode)
    return {
      state: stateCode,
      name: stateName,
      ratePpm: row?.statePpm ?? ratePpm,
      source: row?.source ?? source,
      isImported: row !== undefined,
    }
  })
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
