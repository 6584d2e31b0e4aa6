/** Fleet quotes are read from real VINs, held once, ordered once per vehicle, and visible only to their company. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVinDecoder } from '#adapters/vehicles/vin-decoder.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import { asAccount, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { readFleetVehicle } from '#domain/ordering/checkout/checkout.server.ts'
import { setFleetPackets } from '#domain/customers/companies/companies.server.ts'
import { createPriceLists, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { giveCompany } from '#tests/support/company.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import {
  answerVehicles,
  findFleetQuote,
  groupKey,
  holdPrices,
  listFleetQuotes,
  orderVehicle,
  pricesSeen,
  startFleetQuote,
  type FleetBuyer,
  type FleetQuoteCase,
} from './fleet-quotes.server.ts'

const [port = 0] = await freePorts(3)
const config = { session: { secret: 'a secret for tests only' } }

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

async function openStore() {
  const store = await openTestStore(port)
  return {
    ...store,
    config,
    priceLists: createPriceLists(store.db),
    rateLimits: createRateLimits(store),
    vinDecoder: createVinDecoder({ folder: folder.path, clock: store.clock, log: console }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

/** The owner at an approved company with fleet work orders. */
async function openFleet(store: Store, name: string): Promise<FleetBuyer> {
  const accountId = newId()
  const at = store.clock.now()
  const email = `${name.toLowerCase()}@${name.toLowerCase()}.example`
  await store.db
    .insertInto('account')
    .values({ id: accountId, name, email, email_verified_at: at, created_at: at })
    .execute()
  const companyId = await giveCompany(store.db, email, { name, clock: store.clock })
  must(await setFleetPackets(store, { id: companyId, hasFleetPackets: true, by: desk }))
  return { accountId, companyId }
}

const list = [
  'VIN,Unit,Plate,State',
  '1HGCM82633A004352,117,P449021,IL',
  '2T3RFREV5FW123456,118,,',
  '1FTFW1ET9DFC10312,119,,',
  '1FDUF5HT9GEA12345,120,,',
].join('\n')

const begin = (store: Store, by: FleetBuyer, key = newId()) =>
  startFleetQuote(store, by, { key, zip: '60614', lines: list })

async function read(store: Store, by: FleetBuyer, id: string): Promise<FleetQuoteCase> {
  const found = await findFleetQuote(store, by, id)
  if (!found) throw new Error('The quote of a test is gone.')
  return found
}

/** Answers with the first option or with text, and picks the first tire in each size. */
async function makeHeld(store: Store, by: FleetBuyer): Promise<FleetQuoteCase> {
  const { id } = must(await begin(store, by))
  const { asked } = await read(store, by, id)
  const answers = new Map(asked.map(({ line, options }) => [line, options[0]?.key ?? '225/65R17']))
  expect(must(await answerVehicles(store, by, { id, answers })).unread).toEqual([])
  const { groups } = await read(store, by, id)
  must(await holdPrices(store, by, { id, ...choice(groups) }))
  return read(store, by, id)
}

function choice(groups: FleetQuoteCase['groups']) {
  return {
    picks: new Map(groups.map((group) => [groupKey(group), group.choices[0]?.key ?? ''])),
    seen: pricesSeen(groups),
  }
}

const order = (store: Store, by: FleetBuyer, id: string, line: number) =>
  orderVehicle(store, by, { id, line, buyer: { name: 'Ray', email: 'ray@fleet.example' }, company: 'Acme' })

test('VINs become vehicles, open details are requested, and invalid answers are requested again', async () => {
  await using store = await openStore()
  const by = await openFleet(store, 'Acme')
  const { id } = must(await begin(store, by))
  const { vehicles, asked } = await read(store, by, id)
  expect(vehicles.map(({ line, unit, decoded }) => [line, unit, decoded])).toEqual([
    [2, '117', '2003 Honda Accord EX-V6'],
    [3, '118', '2015 Toyota RAV4 XLE (M Grade)'],
    [4, '119', '2013 Ford F-150'],
    [5, '120', '2016 Ford F-550 Super Duty - Dual Rear Wheel'],
  ])
  const truck = asked.find(({ line }) => line === 4)
  expect(truck?.vehicle).toMatchObject({ year: 2013, makeSlug: 'ford', modelSlug: 'f-150', vehicleId: null })
  expect(truck?.options.length).toBeGreaterThan(1)
  const dual = asked.find(({ line }) => line === 5)
  expect(dual?.vehicle).toBeNull()
  expect(dual?.options).toEqual([])
  expect(dual?.dualRearWheels).toBe(true)
  const answers = new Map([
    [4, truck?.options[1]?.key ?? ''],
    [5, 'a red one'],
  ])
  expect(must(await answerVehicles(store, by, { id, answers })).unread).toEqual([5])
  const after = await read(store, by, id)
  expect(after.vehicles.find(({ line }) => line === 4)?.front).toBe(truck?.options[1]?.front)
  expect(after.asked.some(({ line }) => line === 5)).toBe(true)
  // By name, as the finder has it.
  must(await answerVehicles(store, by, { id, answers: new Map([[5, '2019 Honda CR-V']]) }))
  const named = (await read(store, by, id)).vehicles.find(({ line }) => line === 5)
  expect(named?.vehicle).toMatchObject({ year: 2019, modelSlug: 'cr-v' })
})

test('each choice shows its load index and speed rating', async () => {
  await using store = await openStore()
  const by = await openFleet(store, 'Acme')
  const { id } = must(await begin(store, by))
  const { asked } = await read(store, by, id)
  const answers = new Map(asked.map(({ line, options }) => [line, options[0]?.key ?? '225/65R17']))
  must(await answerVehicles(store, by, { id, answers }))
  const names = (await read(store, by, id)).groups.flatMap(({ choices }) => choices.map(({ name }) => name))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(name).toMatch(/ \d{2,3}[A-Z]( |$)/)
})

test('eight clicks create one quote, hold it once, and open one prefilled cart at the held price', async () => {
  await using store = await openStore()
  const by = await openFleet(store, 'Acme')
  const key = newId()
  const begun = await Promise.all(Array.from({ length: 8 }, () => begin(store, by, key)))
  expect(new Set(begun.filter(({ ok }) => ok).map((one) => must(one).id)).size).toBe(1)
  expect(await listFleetQuotes(store, by.companyId)).toHaveLength(1)
  const { quote, vehicles, held } = await makeHeld(store, by)
  expect(quote.goodThrough).not.toBeNull()
  const line = vehicles.find(({ front }) => held.some((tire) => tire.front === front))?.line ?? 0
  const opened = await Promise.all(Array.from({ length: 5 }, () => order(store, by, quote.id, line)))
  const [cartId = '', ...others] = new Set(opened.map((one) => must(one).cartId))
  expect(others).toEqual([])
  const vehicle = vehicles.find((each) => each.line === line)
  const tire = held.find(({ front, rear }) => front === vehicle?.front && rear === vehicle.rear)
  const member = asAccount(store, by.accountId)
  const cart = await readCart(member, cartId)
  expect(cart?.lines.map(({ itemId, quantity }) => [itemId, quantity])).toEqual([[tire?.frontItemId, 4]])
  expect(cart?.lines[0]?.unitCents).toBe(tire?.frontUnitCents)
  const { unit, vin, plate, plateState } = vehicle ?? {}
  expect(await readFleetVehicle({ db: store.db, buyer: member.buyer }, cartId)).toEqual({
    unit,
    driver: null,
    vin,
    plate,
    plateState,
  })
})

test('a staggered vehicle gets two and two, one with dual rear wheels two and four', async () => {
  await using store = await openStore()
  const by = await openFleet(store, 'Acme')
  const { id } = must(await begin(store, by))
  const answers = new Map([
    [2, '2019 Ford Mustang'],
    [5, '225/65R17'],
  ])
  must(await answerVehicles(store, by, { id, answers }))
  const first = await read(store, by, id)
  const staggered = first.asked.find(({ line }) => line === 2)?.options.find(({ front, rear }) => front !== rear)
  must(await answerVehicles(store, by, { id, answers: new Map([[2, staggered?.key ?? '']]) }))
  const { groups } = await read(store, by, id)
  must(await holdPrices(store, by, { id, ...choice(groups) }))
  const quantities = async (line: number) => {
    const { cartId } = must(await order(store, by, id, line))
    const cart = await readCart(asAccount(store, by.accountId), cartId)
    return cart?.lines.map(({ axle, quantity }) => [axle, quantity]).toSorted()
  }
  expect(await quantities(5)).toEqual([['all', 6]])
  expect(await quantities(2)).toEqual([
    ['front', 2],
    ['rear', 2],
  ])
})

test('a vehicle or account type that changes while prices are locked isn’t locked at unseen prices', async () => {
  await using store = await openStore()
  const by = await openFleet(store, 'Acme')
  const { id } = must(await begin(store, by))
  const [last, ...first] = (await read(store, by, id)).asked.filter(({ options }) => options.length > 0)
  const answersTo = (asked: typeof first) => new Map(asked.map(({ line, options }) => [line, options[0]?.key ?? '']))
  must(await answerVehicles(store, by, { id, answers: answersTo(first) }))
  const { groups } = await read(store, by, id)
  const answer = () => answerVehicles(store, by, { id, answers: answersTo(last ? [last] : []) })
  const grant = () =>
    grantType(store, {
      accountId: by.accountId,
      type: 'WholeSale',
      how: 'staff',
      until: null,
      by: desk.name,
    })
  for (const meanwhile of [answer, grant]) {
    const held = await holdPrices({ ...store, db: delayed(store.db, meanwhile) }, by, { id, ...choice(groups) })
    expect(held).toMatchObject({ reason: 'price-changed' })
    const seen = await read(store, by, id)
    expect(seen.quote.heldAt).toBeNull()
    groups.splice(0, groups.length, ...seen.groups)
  }
})

/** A database that runs another action between the first reads and the transaction. */
function delayed(db: Store['db'], before: () => Promise<unknown>): Store['db'] {
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'transaction') {
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return () => ({
        async execute(work: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) {
          await before()
          return target.transaction().execute(work)
        },
      })
    },
  })
}

test('other companies’ quotes aren’t found, and only members can start or order quotes', async () => {
  await using store = await openStore()
  const [by, other] = [await openFleet(store, 'Acme'), await openFleet(store, 'Brook')]
  const { quote, vehicles } = await makeHeld(store, by)
  const line = vehicles[0]?.line ?? 0
  expect(await findFleetQuote(store, other, quote.id)).toBeUndefined()
  expect(await answerVehicles(store, other, { id: quote.id, answers: new Map() })).toMatchObject({
    reason: 'not-found',
  })
  expect(await holdPrices(store, other, { id: quote.id, picks: new Map(), seen: '' })).toMatchObject({
    reason: 'not-found',
  })
  expect(await order(store, other, quote.id, line)).toMatchObject({ reason: 'not-found' })
  const stranger = { accountId: other.accountId, companyId: by.companyId }
  expect(await begin(store, stranger)).toMatchObject({ reason: 'not-allowed' })
  expect(await order(store, stranger, quote.id, line)).toMatchObject({ reason: 'not-allowed' })
  expect(await answerVehicles(store, by, { id: quote.id, answers: new Map() })).toMatchObject({ reason: 'held' })
  const moved = store.db.updateTable('fleet_quote').set({ good_through_on: '2099-01-01' }).where('id', '=', quote.id)
  expect(await moved.execute().catch(violatedConstraint)).toBe('fleet_quote_stays')
})

test('prices that changed are shown again, a tire that is not offered is refused, and lists are counted', async () => {
  await using store = await openStore()
  const by = await openFleet(store, 'Acme')
  const { id } = must(await begin(store, by))
  must(await answerVehicles(store, by, { id, answers: new Map([[5, '225/65R17']]) }))
  const { groups } = await read(store, by, id)
  const { picks, seen } = choice(groups)
  expect(await holdPrices(store, by, { id, picks, seen: `${seen}1` })).toMatchObject({ reason: 'price-changed' })
  expect(await holdPrices(store, by, { id, picks: new Map(), seen })).toMatchObject({ reason: 'not-offered' })
  const tried = []
  for (let count = 0; count < rateLimits['fleet-list'].counts.company; count += 1) tried.push(await begin(store, by))
  expect(tried.filter(({ ok }) => !ok)).toMatchObject([{ reason: 'too-many' }])
})
