/** The office's lists and search at a thousand orders and at a million: they must cost the same. */
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { officeTabNames, officeTabs, type OfficeTab } from '#domain/ordering/orders/orders.ts'
import { openOffice } from '#domain/kernel/staff/staff.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import type { Bench } from './bench.ts'
import type { Store } from './environment.ts'
import { fillOrders, readSamples, type OfficeSamples } from './fill-office.ts'
import { createTrial, type Trial } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import { rateRow, type Row } from './report.ts'
import { compare, type Comparison } from './rounds.ts'

const scales = { few: 1_000, many: 1_000_000 }
const goal = 0.8

/** A store with so many orders, and the limits process that serves its bare use cases. */
type Ground = { orders: number; store: Store; limits: Store; samples: OfficeSamples; cookie: string }

/** Measures each list, search, and page at a million orders and compares it with a thousand. */
export async function measureOffice(bench: Bench): Promise<Row[]> {
  const [few, many] = [await createGround(bench, scales.few), await createGround(bench, scales.many)]
  const asked: { what: string; isSame: boolean; trialIn(ground: Ground): Trial }[] = [
    // Today's completed orders are less than a page in a generated store.
    ...officeTabs
      .filter((tab) => tab !== 'done-today')
      .flatMap((tab) => [
        {
          what: `orders, ${officeTabNames[tab]}, first page`,
          isSame: true,
          trialIn: (ground: Ground) => listTrial(bench, ground, tab),
        },
        {
          what: `orders, ${officeTabNames[tab]}, a page amid`,
          isSame: true,
          trialIn: (ground: Ground) => listTrial(bench, ground, tab, placeIn(ground, tab)),
        },
      ]),
    ...few.samples.searches.map(({ by, isAlone }) => ({
      what: `order by ${by}`,
      isSame: isAlone,
      trialIn: (ground: Ground) => searchTrial(bench, ground, by),
    })),
    { what: 'page of orders over HTTP', isSame: true, trialIn: (ground: Ground) => pageTrial(bench, ground) },
    {
      what: 'search of the palette over HTTP',
      isSame: false,
      trialIn: (ground: Ground) => paletteTrial(bench, ground),
    },
  ]
  const keyRead = keyTrial(bench, many)
  const comparisons = asked.flatMap(({ what, isSame, trialIn }): Comparison[] => {
    const [trial, limit] = [trialIn(many), trialIn(few)]
    return [
      // A larger store has more results, up to ten, which cost more.
      { what: `${what}, at a million`, trial, limit, ...(isSame ? { goal } : {}) },
      { what: `${what}, at a million, beside a read by primary key`, trial, limit: keyRead },
      { what: `${what}, at a thousand, beside a read by primary key`, trial: limit, limit: keyRead },
    ]
  })
  const rows = (await compare(comparisons, bench.pace, bench.say)).map(rateRow)
  for (const { store, limits } of [few, many]) {
    await limits.measured[Symbol.asyncDispose]()
    await store.measured[Symbol.asyncDispose]()
  }
  return rows
}

async function createGround(bench: Bench, orders: number): Promise<Ground> {
  const databaseUrl = await bench.addDatabase('small', `office_${orders}`)
  bench.say(`writing ${orders.toLocaleString('en-US')} orders`)
  const db = createDatabase(databaseUrl, { size: 2 })
  await fillOrders(db, orders)
  const [samples, cookie] = [await readSamples(db, orders), await signIn(db)]
  await db.destroy()
  const store = await bench.startStore(databaseUrl)
  return { orders, store, limits: await bench.startLimits(databaseUrl, store), samples, cookie }
}

/** The office cookie of the demo's owner, as if they came from the provider. */
async function signIn(db: Database): Promise<string> {
  const opened = await openOffice(
    { db, clock: systemClock, config: { session: { secret: 'bench' } } },
    {
      issuer: 'https://bench.example',
      person: { subject: 'owner', email: 'owner@example.com', isEmailVerified: true, name: 'Oona Shaw' },
      idToken: null,
      authenticatedAt: systemClock.now(),
      usedSecondFactor: null,
      networkKey: 'bench',
      session: undefined,
    },
  )
  if (!opened.ok) throw new Error(`The demo's owner was refused: ${opened.reason}`)
  return `sw_office=${opened.value.cookie}`
}

/** Open orders are the newest; the others are spread over the years. */
function placeIn({ samples }: Ground, tab: OfficeTab): number {
  return tab === 'all' || tab === 'delivered' || tab === 'canceled' ? samples.amidAll : samples.amidOpen
}

function listTrial(bench: Bench, ground: Ground, tab: OfficeTab, after?: number): Trial {
  const place = after === undefined ? '' : `&after=${after}`
  return atLimits(bench, ground, `${officeTabNames[tab]}${after === undefined ? '' : ', amid'}`, [
    { path: `/office-orders?tab=${tab}${place}` },
  ])
}

function searchTrial(bench: Bench, ground: Ground, by: string): Trial {
  const texts = ground.samples.searches.find((search) => search.by === by)?.texts ?? []
  return atLimits(
    bench,
    ground,
    by,
    texts.map((text) => ({ path: `/office-search?q=${encodeURIComponent(text)}` })),
  )
}

/** One row by its primary key, from the same process. */
function keyTrial(bench: Bench, ground: Ground): Trial {
  const ids = bench.sample.itemIds.slice(0, 20)
  return atLimits(
    bench,
    ground,
    'a read by primary key',
    ids.map((id) => ({ path: `/select/${id}` })),
  )
}

function atLimits({ client, clock }: Bench, { orders, limits }: Ground, name: string, requests: LoadRequest[]): Trial {
  return createTrial(
    `${name} of ${orders} orders`,
    { client, clock, processes: [limits.measured] },
    { ports: [limits.port], requests, connections: 20 },
  )
}

function pageTrial({ client, clock }: Bench, { orders, store, samples, cookie }: Ground): Trial {
  const headers = { cookie }
  const requests = [
    { path: officePaths.officeOrders(), headers },
    { path: officePaths.officeOrders({ after: orderNumber(samples.amidAll) }), headers },
  ]
  return createTrial(
    `page of ${orders} orders`,
    { client, clock, processes: [store.measured] },
    { ports: [store.port], requests, connections: 20 },
  )
}

/** Measures the command palette while typing, signed in as the owner: each search in turn, in every group. */
function paletteTrial({ client, clock }: Bench, { orders, store, samples, cookie }: Ground): Trial {
  const requests = samples.searches.map(({ texts }) => ({
    path: officePaths.officeFound(texts[0]),
    headers: { cookie },
  }))
  return createTrial(
    `palette of ${orders} orders`,
    { client, clock, processes: [store.measured] },
    { ports: [store.port], requests, connections: 2 },
  )
}
