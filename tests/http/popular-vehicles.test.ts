/** Tests that every popular vehicle leads to tires by its listed sizes or by the placard's size. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTurn } from '../../tools/rotation.testing.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { popularModels } from './popular-vehicles.testing.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

type Way = 'sizes' | 'door label' | 'choice of models'

const popular = Object.entries(popularModels).flatMap(([make, models]) =>
  models.flatMap(([model, first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => `/vehicles/${make}/${model}/${first + index}`),
  ),
)

/** What these offer does not change with the data of the others. */
const known = new Map<string, Way>([
  ['/vehicles/ford/f-150/2020', 'sizes'],
  ['/vehicles/ford/f-350/2020', 'door label'],
  ['/vehicles/ford/f-350-super-duty/2020', 'door label'],
  ['/vehicles/hyundai/santa-fe/2015', 'choice of models'],
])

/** What a vehicle's page offers; undefined for a page that leads nowhere. */
async function wayOn(path: string): Promise<{ way: Way | undefined; html: string }> {
  const answer = await fetch(store.origin + path)
  const html = await answer.text()
  const hasTires = html.includes('<article id="tire-')
  const hasForm = /<input type="hidden" name="answer" value="label"\/>.*?name="front"/s.test(html)
  const way = hasTires
    ? 'sizes'
    : hasForm
      ? 'door label'
      : /<h1>Which .* do you have\?<\/h1>/.test(html)
        ? 'choice of models'
        : undefined
  return { way: answer.status === 200 ? way : undefined, html }
}

/** Types a size into the page's form for the door label; returns the page that follows, as the browser sees it. */
async function typeLabel(html: string, front: string): Promise<string> {
  const [, action = ''] = /<form class="label-form" action="([^"]*)"/.exec(html) ?? expect.fail('No form.')
  const answer = await fetch(store.origin + action.replaceAll('&amp;', '&'), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: store.origin },
    body: new URLSearchParams({ answer: 'label', front, rear: '' }),
  })
  const cookie = /sw_vehicle=[^;]*/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const page = await fetch(store.origin + answer.headers.get('location'), { headers: { cookie } })
  return page.text()
}

// A full run requests 830 pages.
test('each popular vehicle has listed sizes or requests the placard size', { timeout: 600_000 }, async () => {
  expect(popular.length).toBeGreaterThan(830)
  const ways = new Map<string, Way | undefined>()
  for (const path of inTurn(popular, { always: (path) => known.has(path) })) {
    const { way, html } = await wayOn(path)
    ways.set(path, way)
    if (way !== 'door label') continue
    const tires = await typeLabel(html, '275/65R18 116T')
    expect(tires, path).toContain('Your door label says 275/65R18 116T')
    expect(tires, path).toContain('<article id="tire-')
  }
  expect([...ways].filter(([, way]) => way === undefined)).toEqual([])
  expect([...known].map(([path]) => [path, ways.get(path)])).toEqual([...known])
})

test('an ambiguous model name requests the model, even with a year', async () => {
  const ofYear = await fetch(`${store.origin}/vehicles/chevrolet/silverado/2015`)
  expect(new URL(ofYear.url).search).toBe('?year=2015')
  const html = await ofYear.text()
  expect(html).toContain('<h1>Which 2015 Chevrolet Silverado do you have?</h1>')
  for (const slug of ['silverado-1500', 'silverado-2500hd', 'silverado-3500hd'])
    expect(html).toContain(`href="/vehicles/chevrolet/${slug}/2015"`)
  const all = await (await fetch(`${store.origin}/vehicles/chevrolet/silverado`)).text()
  expect(all).toContain('href="/vehicles/chevrolet/silverado-1500"')
  const none = await fetch(`${store.origin}/vehicles/chevrolet/silverado/1950`)
  expect(none.status).toBe(404)
})

test('the models of a make are listed with the years in which they were sold', async () => {
  const html = await (await fetch(`${store.origin}/vehicles/ford-tires`)).text()
  for (const [model, years] of [
    ['Focus', '2000–2018'],
    ['Fiesta', '2011–2019'],
    ['Flex', '2009–2019'],
    ['EcoSport', '2018–2022'],
  ])
    expect(html).toMatch(new RegExp(`>${model}</span><span[^>]*>${years}<`))
})
