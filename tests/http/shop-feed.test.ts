/** Tests a shop's calendar feed over HTTP: created and deleted in the portal, read by calendar programs. */
import nodeIcal from 'node-ical'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToPortal } from '#tests/support/visitor.ts'

const busy = 'SW-00001'
let store: RunningStore
const owner = createVisitor()
const technician = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToPortal(store.origin, owner)
  await signInToPortal(store.origin, technician, 'technician@example.com')
})
afterAll(() => store[Symbol.asyncDispose]())

const page = () => `${store.origin}/portal/${busy}/feed`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const addressIn = (html: string) => /https?:[^<\s"]+\/portal\/feed\/[\w-]{43}\.ics/.exec(html)?.[0]
const seenIn = (html: string) => /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''

async function make(): Promise<string> {
  const form = { intent: 'make', seen: seenIn(await read(owner.ask(page()))) }
  const address = addressIn(await read(owner.ask(page(), { form })))
  if (!address) throw new Error('The page of a test shows no address.')
  return address
}

test('the owner sees the URL once, twenty clicks create one, and a technician can’t', async () => {
  const form = { intent: 'make', seen: seenIn(await read(owner.ask(page()))) }
  const answers = await Promise.all(Array.from({ length: 20 }, () => owner.ask(page(), { form })))
  const made = await Promise.all(answers.map(async (answer) => [answer.status, addressIn(await read(answer))] as const))
  expect(made.filter(([, address]) => address !== undefined)).toHaveLength(1)
  expect(new Set(made.map(([status]) => status))).toEqual(new Set([200, 409]))
  const again = await read(owner.ask(page()))
  expect(addressIn(again)).toBeUndefined()
  expect(again).toContain('An address was made on')
  // No script but the one of every page of the portal, which sends what waited for the line.
  expect(again.match(/<script[^>]*>/g)).toEqual([expect.stringContaining('/assets/drafts-')])
  expect((await technician.ask(page(), { form })).status).toBe(403)
  expect((await owner.ask(page(), { form: {} })).status).toBe(400)
})

test('a calendar app reads jobs with an ETag and gets data again only after changes', async () => {
  const address = await make()
  const answer = await fetch(address)
  const file = await answer.text()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  expect(answer.headers.get('set-cookie')).toBeNull()
  const [calendar] = Object.values(nodeIcal.sync.parseICS(file)).filter((each) => each?.type === 'VTIMEZONE')
  expect(calendar).toBeDefined()
  expect(file).toContain('NAME:Halsted Tire: tire jobs')
  const etag = answer.headers.get('etag') ?? ''
  for (const kept of [etag, `W/${etag}`, `"x", ${etag}`]) {
    const unchanged = await fetch(address, { headers: { 'if-none-match': kept } })
    expect(unchanged.status).toBe(304)
    expect(await unchanged.text()).toBe('')
    expect(unchanged.headers.get('etag')).toBe(etag)
  }
  expect((await fetch(address, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  const head = await fetch(address, { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.headers.get('etag')).toBe(etag)
  expect(await head.text()).toBe('')
  expect((await fetch(address, { method: 'POST', headers: { origin: store.origin } })).status).toBeOneOf([404, 405])
})

test('a new address ends the old, ending it ends all, and what never was one answers the same', async () => {
  const old = await make()
  const current = await make()
  const bodyOf = async (address: string) => {
    const answer = await fetch(address)
    return [answer.status, await answer.text()]
  }
  const gone = [404, 'There is no calendar here.']
  expect(await bodyOf(old)).toEqual(gone)
  expect((await bodyOf(current))[0]).toBe(200)
  expect((await owner.ask(page(), { form: { intent: 'end' } })).status).toBe(303)
  expect(await read(owner.ask(`${page()}?done=ended`))).toContain('The address was revoked')
  const unknown = ['x.ics', '.ics', 'x', `${'A'.repeat(43)}.ics`, `${'x'.repeat(2_000)}.ics`, "';--.ics"]
  for (const address of [current, ...unknown.map((name) => `${store.origin}/portal/feed/${name}`)])
    expect(await bodyOf(address), address).toEqual(gone)
})

test('one network cannot try secrets without end', async () => {
  const guess = () => fetch(`${store.origin}/portal/feed/${crypto.randomUUID()}.ics`)
  const answers: Response[] = []
  for (let round = 0; round < 40 && !answers.some(({ status }) => status === 429); round += 1)
    answers.push(...(await Promise.all(Array.from({ length: 10 }, guess))))
  const refused = answers.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
})
