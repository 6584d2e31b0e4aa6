/**
 * Search, suggestions and appointment times next to a single read by key; also over a catalog of a million articles.
 */
import { createDatabase } from '#platform/db.ts'
import type { Bench } from './bench.ts'
import type { Store } from './environment.ts'
import { createTrial, type Trial } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import { amountRow, rateRow, type Row } from './report.ts'
import { compare, median } from './rounds.ts'
import { readSampleCatalog, type SampleCatalog } from './sample-catalog.ts'

const known = { cookie: 'sw_recent=[]' }
/** Slowly typed texts with pauses. */
const texts = [
  'rav',
  'rav4',
  '2021 rav4',
  'honda cr',
  'hnda civic',
  '225/65',
  '2256517',
  '22565',
  'kestrel',
  'kestrel all',
  'all season',
  'winter',
  '60614',
  'f-150',
  'ford f',
  'model 3',
  'subaru outbck',
  '18 inch',
]

type Ground = Pick<Bench, 'client' | 'clock'> & { store: Store; limits: Store; sample: SampleCatalog }

export async function measureSearch(bench: Bench): Promise<Row[]> {
  const select = selectTrial(bench)
  const [shops, place] = [bench.sample.shopIds.join(','), '60614']
  const compared = await compare(
    [
      { what: 'size search with facets, 24 tires, JSON', trial: searchTrial(bench), limit: select, goal: 0.35 },
      { what: 'the same as the page asks for it (.data)', trial: dataTrial(bench), limit: select },
      { what: 'suggestion for a typed text', trial: suggestionTrial(bench), limit: select, p99Under: 30 },
      {
        what: 'first times of 20 shops, 30 days',
        trial: atLimits(bench, 'times', [{ path: `/times?shops=${shops}` }]),
        limit: select,
        goal: 0.2,
        statements: 1,
      },
      {
        what: 'the 20 nearest shops with their times',
        trial: atLimits(bench, 'nearest', [{ path: `/nearest?zip=${place}` }]),
        limit: select,
      },
    ],
    bench.pace,
    bench.say,
  )
  return compared.map(rateRow)
}

/**
 * Measures the same listings and texts with a million items, compared with the default scale and with a single read by
 * key.
 */
export async function measureMillion(bench: Bench): Promise<Row[]> {
  const databaseUrl = await bench.addDatabase('1m')
  const store = await bench.startStore(databaseUrl)
  const db = createDatabase(databaseUrl, { size: 1 })
  const million: Ground = {
    client: bench.client,
    clock: bench.clock,
    store,
    limits: await bench.startLimits(databaseUrl, store),
    sample: await readSampleCatalog(db),
  }
  await db.destroy()
  const first = await timeFirstAsks(million)
  await timeFirstAsks(bench)
  const select = selectTrial(million)
  const compared = await compare(
    [
      { what: 'size search at 1,000,000 articles', trial: searchTrial(million), limit: searchTrial(bench), goal: 0.8 },
      { what: 'size search (.data) at 1,000,000', trial: dataTrial(million), limit: dataTrial(bench), goal: 0.8 },
      {
        what: 'suggestion at 1,000,000 articles',
        trial: suggestionTrial(million),
        limit: select,
        goal: 0.3,
        p99Under: 30,
      },
      { what: 'the same for texts never typed before', trial: newTextTrial(million), limit: select, p99Under: 30 },
    ],
    bench.pace,
    bench.say,
  )
  const { residentMb } = await store.measured.usage()
  return [
    ...compared.map(rateRow),
    amountRow('first to ask for a size at 1,000,000 articles', first, 500, (amount) => `${Math.round(amount)} ms`),
    amountRow('web process at 1,000,000 articles', residentMb, 700, (amount) => `${Math.round(amount)} MB`),
  ]
}

/**
 * Requests every page once, so that the rounds find warm caches; returns the median of the first page of each size, in
 * milliseconds.
 */
async function timeFirstAsks({ store, limits, sample }: Ground): Promise<number> {
  const times: number[] = []
  for (const { size, query } of sample.queries) {
    const began = performance.now()
    await (await fetch(`${store.origin}/tire-sizes/${size}.data?${query}`, { headers: known })).arrayBuffer()
    if (query === '') times.push(performance.now() - began)
    await (await fetch(`${limits.origin}/listing?size=${size}&${query}`)).arrayBuffer()
  }
  return median(times)
}

/** Different texts in each round, since answers are cached for a minute. */
function newTextTrial(ground: Ground): Trial {
  let round = 0
  return {
    name: `new text in ${ground.sample.items} articles`,
    run: (milliseconds) => suggestionTrial(ground, newTexts(round++)).run(milliseconds),
  }
}

/** A name, spelled correctly or not and partly typed, a year and a word never typed before. */
function newTexts(round: number): string[] {
  const words = [
    'honda civic',
    'hnda accord',
    'toyota camery',
    'ford f-150',
    'kestrel alltide',
    'winter',
    'all season',
    'subaru outbck',
    'halsted tire',
    'model',
  ]
  return Array.from({ length: 40_000 }, (_, index) => {
    const word = words[index % words.length] ?? ''
    return `${word.slice(0, 2 + (index % word.length))} ${1990 + (index % 37)} ${round}${index.toString(36)}`
  })
}

function selectTrial({ client, clock, limits, sample }: Ground): Trial {
  return atLimits(
    { client, clock, limits },
    'one row by its key',
    sample.itemIds.map((id) => ({ path: `/select/${id}` })),
  )
}

function searchTrial({ client, clock, limits, sample }: Ground): Trial {
  return atLimits(
    { client, clock, limits },
    `search in ${sample.items} articles`,
    sample.queries.map(({ size, query }) => ({ path: `/listing?size=${size}&${query}` })),
  )
}

function dataTrial({ client, clock, store, sample }: Ground): Trial {
  const requests = sample.queries.map(({ size, query }) => ({
    path: `/tire-sizes/${size}.data?${query}`,
    headers: known,
  }))
  return createTrial(
    `.data in ${sample.items} articles`,
    { client, clock, processes: [store.measured] },
    { ports: [store.port], requests, connections: 20 },
  )
}

function suggestionTrial({ client, clock, store, sample }: Ground, typed: readonly string[] = texts): Trial {
  const requests = typed.map((text) => ({ path: `/search/suggestions?q=${encodeURIComponent(text)}`, headers: known }))
  return createTrial(
    `suggestion in ${sample.items} articles`,
    { client, clock, processes: [store.measured] },
    { ports: [store.port], requests, connections: 20 },
  )
}

function atLimits(
  { client, clock, limits }: Pick<Ground, 'client' | 'clock' | 'limits'>,
  name: string,
  requests: LoadRequest[],
): Trial {
  return createTrial(
    name,
    { client, clock, processes: [limits.measured] },
    { ports: [limits.port], requests, connections: 20 },
  )
}
