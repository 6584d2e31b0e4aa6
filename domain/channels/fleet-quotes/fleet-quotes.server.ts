/** Quotes for many vehicles. A company uploads a VIN list, answers open questions, and holds prices. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { createHash } from 'node:crypto'
import { readFleetVehicle, saveFleetVehicle } from '#domain/ordering/checkout/checkout.server.ts'
import { findMembership } from '#domain/customers/companies/companies.server.ts'
import { companyCan } from '#domain/customers/companies/companies.ts'
import { parseTire, tireDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { createBuyer, findGrant, lockAccountType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import {
  findVehicleByName,
  openQuote,
  pricePromise,
  promiseQuote,
  quoteToken,
  type OpenRefusal,
  type QuoteDeps,
  type QuoteProblem,
} from '#domain/ordering/quotes/quotes.server.ts'
import { quoteDays } from '#domain/ordering/quotes/quotes.ts'
import { findModelTrims } from '#domain/catalog/vehicles/vehicles.server.ts'
import { decodedName, hasDualRearWheels, modelNames, type SizedVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { mostAsked } from './fleet-quotes.ts'
import {
  deleteOld,
  insertFleetQuote,
  insertHeld,
  lockFleetQuote,
  selectByKey,
  selectFleetQuote,
  selectFleetQuotes,
  selectFleetVehicles,
  selectHeld,
  updateSalesQuote,
  updateVehicle,
  type FleetQuote,
  type FleetVehicle,
  type HeldTire,
} from './fleet-quotes.sql.server.ts'
import { settle, tireOptions, type Matched, type TireOption } from './match.ts'
import { countTires, groupBySizes, listChoices, type TireChoice, type TireGroup } from './tire-choices.server.ts'
import { readVehicleList, type ListedVehicle } from './vehicle-file.server.ts'
import type { DecodedVin, VinDecoder } from '#domain/catalog/vehicles/vin-decoder.port.ts'

export { countTires, type TireChoice } from './tire-choices.server.ts'
export { readListBytes } from './vehicle-file.server.ts'
export type { FleetQuote, FleetVehicle, HeldTire } from './fleet-quotes.sql.server.ts'
export type { TireOption } from './match.ts'

type NotAllowed = Refused<'not-allowed'>
type NotFound = Refused<'not-found'>

/** A member who acts for a company. */
export type FleetBuyer = { accountId: string; companyId: string }

/** Whether they may order for the company. */
async function mayOrder(tx: Tx, { accountId, companyId }: FleetBuyer, at: Temporal.Instant): Promise<boolean> {
  // Blocks account type changes until the transaction ends.
  await lockAccountType(tx, accountId, at)
  const membership = await findMembership({ db: tx }, accountId)
  return (
    membership?.company.id === companyId &&
    membership.company.state === 'approved' &&
    membership.company.hasFleetPackets &&
    companyCan(membership.role, 'order')
  )
}

/**
 * Creates a quote from a list and returns its id, once per form. Each list counts toward the limit before its VINs are
 * read. Refuses a list with faults, with all of them by line.
 */
export async function startFleetQuote(
  deps: QuoteDeps & { rateLimits: RateLimits; vinDecoder: VinDecoder },
  by: FleetBuyer,
  { key, zip, lines }: { key: string; zip: string; lines: string },
): Promise<
  Outcome<{ id: string }, NotAllowed | Refused<'faults', string[]> | Refused<'too-many', { retryAfterSeconds: number }>>
> {
  const listed = readVehicleList(lines)
  if (!listed.ok) return listed
  const made = await selectByKey(deps.db, key)
  if (made) return made.companyId === by.companyId ? ok({ id: made.id }) : refused('not-allowed')
  const taken = await deps.rateLimits.take('fleet-list', { company: by.companyId })
  if (!taken.ok) return taken
  const vehicles = await decodeAll(deps, listed.value)
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    if (!(await mayOrder(tx, by, at))) return refused('not-allowed')
    const id = newId()
    if (await insertFleetQuote(tx, { id, ...by, formKey: key, zip, at }, vehicles)) return ok({ id })
    const other = await selectByKey(tx, key)
    return other?.companyId === by.companyId ? ok({ id: other.id }) : refused('not-allowed')
  })
}

async function decodeAll(
  { db, vinDecoder }: { db: Database; vinDecoder: VinDecoder },
  listed: readonly ListedVehicle[],
): Promise<Omit<FleetVehicle, 'salesQuoteId'>[]> {
  const answer = await vinDecoder.decode(listed.map(({ vin }) => vin))
  // Vehicles that couldn't be decoded become questions.
  const decoded: ReadonlyMap<string, DecodedVin> = answer.ok ? answer.value : new Map()
  const wanted = [...decoded.values()].flatMap((each) => modelNames(each).map((name) => ({ year: each.year, ...name })))
  const trims = wanted.length === 0 ? [] : await findModelTrims({ db }, wanted)
  return listed.map((row) => {
    const read = decoded.get(row.vin)
    const dualRearWheels = read !== undefined && hasDualRearWheels(read)
    return { ...row, decoded: read ? decodedName(read) : null, dualRearWheels, ...match(read, trims) }
  })
}

function match(read: DecodedVin | undefined, trims: readonly SizedVehicle[]): Matched {
  if (!read) return settle([], null)
  for (const { makeSlug, modelSlug } of modelNames(read)) {
    const same = trims.filter(
      ({ vehicle }) => vehicle.year === read.year && vehicle.makeSlug === makeSlug && vehicle.modelSlug === modelSlug,
    )
    if (same.length > 0) return settle(same, read.trim)
  }
  return settle([], null)
}

/** Lists a company's newest quotes. */
export function listFleetQuotes({ db }: { db: Database }, companyId: string) {
  return selectFleetQuotes(db, companyId, 20)
}

/** A vehicle with unknown tires, to be chosen from `options`, or entered as text if there are no options. */
export type AskedVehicle = FleetVehicle & { options: TireOption[] }

export type FleetQuoteCase = {
  quote: FleetQuote
  vehicles: FleetVehicle[]
  asked: AskedVehicle[]
  groups: (TireGroup & { choices: TireChoice[] })[]
  held: HeldTire[]
}

/** Returns the company's quote, with its questions and choices or its held prices; undefined for other ids. */
export async function findFleetQuote(
  deps: QuoteDeps,
  { accountId, companyId }: FleetBuyer,
  id: string,
): Promise<FleetQuoteCase | undefined> {
  const quote = await selectFleetQuote(deps.db, { id, companyId })
  if (!quote) return undefined
  const vehicles = await selectFleetVehicles(deps.db, id)
  if (quote.heldAt !== null) {
    const groups = groupBySizes(vehicles).map((group) => ({ ...group, choices: [] }))
    return { quote, vehicles, asked: [], groups, held: await selectHeld(deps.db, id) }
  }
  const [asked, groups] = await Promise.all([askOf(deps, vehicles), offerFor(deps, accountId, vehicles)])
  return { quote, vehicles, asked, groups, held: [] }
}

async function askOf({ db }: { db: Database }, vehicles: readonly FleetVehicle[]): Promise<AskedVehicle[]> {
  const open = vehicles.filter(({ front }) => front === null).slice(0, mostAsked)
  const models = open.flatMap(({ vehicle }) => vehicle ?? [])
  const trims = models.length === 0 ? [] : await findModelTrims({ db }, models)
  return open.map((row) => {
    const same = trims.filter(
      ({ vehicle: { year, makeSlug, modelSlug } }) =>
        year === row.vehicle?.year && makeSlug === row.vehicle.makeSlug && modelSlug === row.vehicle.modelSlug,
    )
    return { ...row, options: tireOptions(same) }
  })
}

function offerFor(deps: QuoteDeps, accountId: string, vehicles: readonly FleetVehicle[]) {
  return Promise.all(
    groupBySizes(vehicles).map(async (group) => ({ ...group, choices: await listChoices(deps, accountId, group) })),
  )
}

/**
 * Saves answers by line. An answer is an option's key, a vehicle such as "2019 Honda CR-V EX", or a size such as
 * "LT245/75R17". Returns the unrecognized answers by line and saves the rest. Refuses a quote with held prices.
 */
export async function answerVehicles(
  deps: QuoteDeps,
  by: FleetBuyer,
  { id, answers }: { id: string; answers: ReadonlyMap<number, string> },
): Promise<Outcome<{ unread: number[] }, NotAllowed | NotFound | Refused<'held'>>> {
  const quote = await selectFleetQuote(deps.db, { id, companyId: by.companyId })
  if (!quote) return refused('not-found')
  const vehicles = await selectFleetVehicles(deps.db, id)
  const asked = await askOf(deps, vehicles)
  const answered = asked.filter(({ line }) => (answers.get(line) ?? '') !== '')
  const read: { line: number; matched: Matched | undefined }[] = []
  for (const row of answered)
    read.push({ line: row.line, matched: await readAnswer(deps, row, answers.get(row.line) ?? '') })
  const at = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    if (!(await mayOrder(tx, by, at))) return refused('not-allowed')
    const locked = await lockFleetQuote(tx, { id, companyId: by.companyId })
    if (!locked) return refused('not-found')
    if (locked.heldAt !== null) return refused('held')
    for (const { line, matched } of read) if (matched) await updateVehicle(tx, id, { line, ...matched })
    return ok({ unread: read.filter(({ matched }) => !matched).map(({ line }) => line) })
  })
}

async function readAnswer(deps: QuoteDeps, row: AskedVehicle, answer: string): Promise<Matched | undefined> {
  const option = row.options.find(({ key }) => key === answer)
  if (option) return { vehicle: option.vehicle, front: option.front, rear: option.rear }
  const tire = parseTire(answer)
  if (tire) return { vehicle: row.vehicle, front: tireDesignation(tire), rear: tireDesignation(tire) }
  const named = await findVehicleByName(deps, answer.slice(0, 120))
  if (!named) return undefined
  const trims = await findModelTrims(deps, [named])
  const chosen = trims.filter(({ vehicle }) => named.vehicleId === null || vehicle.id === named.vehicleId)
  return chosen.length > 0 ? settle(chosen, null) : undefined
}

/** The name of a group in a form. */
export function groupKey({ front, rear }: Pick<TireGroup, 'front' | 'rear'>): string {
  return front === rear ? front : `${front} | ${rear}`
}

/**
 * Holds the chosen tires for all vehicles with known tires, at the account's current prices, for a quote's usual
 * validity. `picks` has the tire key by group key; `seen` has the prices shown for each group. Idempotent. Refuses
 * tires that aren't offered, and prices that changed since.
 */
export async function holdPrices(
  deps: QuoteDeps,
  by: FleetBuyer,
  { id, picks, seen }: { id: string; picks: ReadonlyMap<string, string>; seen: string },
): Promise<
  Outcome<
    null,
    NotAllowed | NotFound | Refused<'no-tires'> | Refused<'not-offered', { group: string }> | Refused<'price-changed'>
  >
> {
  const at = deps.clock.now()
  const type = await findAccountType(deps.db, by.accountId, at)
  const found = await findFleetQuote(deps, by, id)
  if (!found) return refused('not-found')
  if (found.quote.heldAt !== null) return ok(null)
  const tires: HeldTire[] = []
  for (const { choices, front, rear } of found.groups) {
    const group = groupKey({ front, rear })
    const pick = choices.find(({ key }) => key === picks.get(group))
    if (!pick && choices.length > 0) return refused('not-offered', { group })
    if (pick) {
      const { frontItemId, rearItemId, frontUnitCents, rearUnitCents } = pick
      tires.push({ front, rear, frontItemId, rearItemId, frontUnitCents, rearUnitCents })
    }
  }
  if (tires.length === 0) return refused('no-tires')
  if (seen !== pricesSeen(found.groups)) return refused('price-changed')
  return deps.db.transaction().execute(async (tx) => {
    if (!(await mayOrder(tx, by, at))) return refused('not-allowed')
    const locked = await lockFleetQuote(tx, { id, companyId: by.companyId })
    if (!locked) return refused('not-found')
    if (locked.heldAt !== null) return ok(null)
    // The prices depend on the account's type and these vehicles' tires, so both must be unchanged.
    const isSameType = (await lockAccountType(tx, by.accountId, at)) === type
    const isSameList = sizesOf(await selectFleetVehicles(tx, id)) === sizesOf(found.vehicles)
    if (!isSameType || !isSameList) return refused('price-changed')
    await insertHeld(tx, id, { tires, goodThrough: storeDay(at).add({ days: quoteDays.usual }), at })
    return ok(null)
  })
}

async function findAccountType(db: Database, accountId: string, at: Temporal.Instant): Promise<string> {
  return (await findGrant(db, accountId, at))?.type ?? 'Retail'
}

/** Which tires each vehicle takes, as one text. */
function sizesOf(vehicles: readonly FleetVehicle[]): string {
  return JSON.stringify(vehicles.map(({ line, front, rear, vehicle }) => [line, front, rear, vehicle]))
}

/** Returns a short text for the prices on a page; equal texts mean equal prices. */
export function pricesSeen(groups: readonly { choices: readonly TireChoice[] }[]): string {
  const prices = groups.map(({ choices }) =>
    choices.map(({ key, frontUnitCents, rearUnitCents }) => [key, frontUnitCents, rearUnitCents]),
  )
  return createHash('sha256').update(JSON.stringify(prices)).digest('base64url')
}

export type OrderVehicleRefusal =
  | NotAllowed
  | NotFound
  | Refused<'incomplete', readonly QuoteProblem[]>
  | Refused<'expired'>
  | OpenRefusal

/**
 * Opens one vehicle's cart at the held prices and returns its key, with unit, VIN and plate filled in. Idempotent.
 * Approval and PO number are requested at checkout, as for every order.
 */
export async function orderVehicle(
  deps: QuoteDeps & { config: Pick<Config, 'session'> },
  by: FleetBuyer,
  { id, line, buyer, company }: { id: string; line: number; buyer: { name: string; email: string }; company: string },
): Promise<Outcome<{ cartId: string; zip: string; vehicle: FleetVehicle['vehicle'] }, OrderVehicleRefusal>> {
  const known = await findHeld(deps.db, by.companyId, id, line)
  if (!known) return refused('not-found')
  const { vehicle, tire, quote } = known
  const salesQuoteId = vehicle.salesQuoteId ?? null
  const priced = salesQuoteId === null ? await priceVehicle(deps, by.accountId, known) : null
  if (priced && !priced.ok) return priced
  const at = deps.clock.now()
  const promised = await deps.db.transaction().execute(async (tx) => {
    if (!(await mayOrder(tx, by, at))) return refused('not-allowed')
    if (!(await lockFleetQuote(tx, { id, companyId: by.companyId }))) return refused('not-found')
    const again = await findHeld(tx, by.companyId, id, line)
    const begun = again?.vehicle.salesQuoteId ?? null
    if (begun !== null) return ok(begun)
    if (!priced?.ok || tire === undefined) return refused('not-found')
    const made = await promiseQuote(tx, { ...priced.value, buyer, by: `Fleet quote of ${company}`.slice(0, 254), at })
    await updateSalesQuote(tx, id, line, made)
    return ok(made)
  })
  if (!promised.ok) return promised
  const token = quoteToken(deps.config.session.secret, promised.value)
  const opened = await openQuote(deps, { token, accountId: by.accountId })
  if (!opened.ok) return opened
  const { cartId } = opened.value
  await fillPacket(deps, by.accountId, cartId, vehicle)
  return ok({ cartId, zip: quote.zip, vehicle: vehicle.vehicle })
}

async function findHeld(db: Database, companyId: string, id: string, line: number) {
  const quote = await selectFleetQuote(db, { id, companyId })
  if (!quote?.goodThrough) return undefined
  const vehicle = (await selectFleetVehicles(db, id)).find((each) => each.line === line)
  const held = await selectHeld(db, id)
  const tire = held.find(({ front, rear }) => front === vehicle?.front && rear === vehicle.rear)
  return vehicle && tire ? { quote, vehicle, tire, goodThrough: quote.goodThrough } : undefined
}

type Held = NonNullable<Awaited<ReturnType<typeof findHeld>>>

async function priceVehicle(deps: QuoteDeps, accountId: string, { vehicle, tire, quote, goodThrough }: Held) {
  if (Temporal.PlainDate.compare(goodThrough, storeDay(deps.clock.now())) < 0) return refused('expired')
  const { front, rear } = countTires(vehicle)
  const ofOne = { coverage: false, costCents: null }
  const lines =
    tire.frontItemId === tire.rearItemId
      ? [
          {
            ...ofOne,
            itemId: tire.frontItemId,
            axle: 'all' as const,
            quantity: front + rear,
            unitCents: tire.frontUnitCents,
          },
        ]
      : [
          {
            ...ofOne,
            itemId: tire.frontItemId,
            axle: 'front' as const,
            quantity: front,
            unitCents: tire.frontUnitCents,
          },
          { ...ofOne, itemId: tire.rearItemId, axle: 'rear' as const, quantity: rear, unitCents: tire.rearUnitCents },
        ]
  return pricePromise(deps, { lines, vehicle: vehicle.vehicle, goodThrough, accountId, zip: quote.zip })
}

/** Prefills the order's fleet details from the list, unless already entered. */
async function fillPacket(
  deps: QuoteDeps,
  accountId: string,
  cartId: string,
  { unit, vin, plate, plateState }: FleetVehicle,
): Promise<void> {
  const buyer = createBuyer(deps, async () => accountId)
  const entered = await readFleetVehicle({ db: deps.db, buyer }, cartId)
  if (!entered || Object.values(entered).some((value) => value !== null)) return
  await saveFleetVehicle(deps, cartId, { unit, driver: null, vin, plate, plateState })
}

/** Deletes lists created before `before`; returns how many. */
export function forgetOldFleetQuotes(db: Database, before: Temporal.Instant): Promise<number> {
  return deleteOld(db, before)
}
