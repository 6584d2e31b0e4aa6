/**
 * The client against the sandbox, and both against the form that FedEx describes for its Locations Search API:
 * https://developer.fedex.com/api/en-us/catalog/locations/v1/docs.html
 */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestSandbox, testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createFedExPlaces } from './fedex.ts'

const [port = 0] = await freePorts(3)
const chicago = { at: { zip: '60614' }, radiusMiles: 25, limit: 10, weightLb: 90 }
const now = () => Temporal.Instant.from('2026-06-15T12:00:00Z')

const at = (apiOrigin: string, change: { apiKey?: string; secretKey?: string; now?: () => Temporal.Instant } = {}) =>
  createFedExPlaces({ apiOrigin, apiKey: testSecrets.fedExKey, secretKey: testSecrets.fedExSecret, now, ...change })

/** Starts a server with the given responses that counts requests. */
async function serve(answers: { token?: object; status?: number; locations?: string }) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/oauth/token')
      return response.end(JSON.stringify(answers.token ?? { access_token: `t${asked.length}`, expires_in: 3_599 }))
    return response.writeHead(answers.status ?? 200).end(answers.locations ?? '{"output":{}}')
  })
  // A client of the next test at this port would send into a kept-alive connection of this one.
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve) => server.listen(port + 2, '127.0.0.1', resolve))
  return {
    asked,
    origin: `http://127.0.0.1:${port + 2}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const time = z.string().regex(/^\d{2}:\d{2}:\d{2}$/)
/** What FedEx publishes of an answer, as far as the sandbox gives it. */
const published = z.strictObject({
  transactionId: z.string(),
  output: z.strictObject({
    totalResults: z.int(),
    resultsReturned: z.int(),
    matchedAddress: z.looseObject({ postalCode: z.string(), countryCode: z.string() }),
    locationDetailList: z.array(
      z.strictObject({
        distance: z.strictObject({ units: z.string(), value: z.number() }),
        contactAndAddress: z.strictObject({
          contact: z.strictObject({ companyName: z.string(), phoneNumber: z.string() }),
          address: z.strictObject({
            streetLines: z.array(z.string()),
            city: z.string(),
            stateOrProvinceCode: z.string(),
            postalCode: z.string(),
            countryCode: z.string(),
            residential: z.boolean(),
          }),
        }),
        locationId: z.string(),
        storeHours: z.array(
          z.strictObject({
            dayOfWeek: z.enum(['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']),
            operationalHoursType: z.enum(['OPEN_ALL_DAY', 'OPEN_BY_HOURS', 'CLOSED_ALL_DAY']),
            operationalHours: z.array(z.strictObject({ begins: time, ends: time })).optional(),
          }),
        ),
        geoPositionalCoordinates: z.strictObject({ latitude: z.number(), longitude: z.number() }),
        locationType: z.string(),
        packageMaximumLimits: z.strictObject({ weight: z.strictObject({ units: z.string(), value: z.number() }) }),
      }),
    ),
  }),
})

test('the sandbox answers in the published form, and refuses what FedEx refuses', async () => {
  await using sandbox = await startTestSandbox(port)
  const token = (fields: Record<string, string>) =>
    fetch(`${sandbox.origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  const keys = { client_id: testSecrets.fedExKey, client_secret: testSecrets.fedExSecret }
  expect((await token({ ...keys, grant_type: 'password' })).status).toBe(422)
  expect((await token({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' })).status).toBe(401)
  const given = (await (await token({ ...keys, grant_type: 'client_credentials' })).json()) as Record<string, unknown>
  expect(given).toMatchObject({ token_type: 'bearer', expires_in: 3_599, scope: 'CXS' })
  const search = (bearer: string, body: object) =>
    fetch(`${sandbox.origin}/location/v1/locations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const location = { address: { postalCode: '60614', countryCode: 'US' } }
  const within = { distance: { units: 'MI', value: 25 }, maxResults: 10 }
  const bearer = String(given['access_token'])
  const found = await search(bearer, { location, locationsSummaryRequestControlParameters: within })
  expect(published.safeParse(await found.json())).toMatchObject({ success: true })
  expect((await search('nobody', { location })).status).toBe(401)
  expect((await search(bearer, { location, hue: 'red' })).status).toBe(400)
  await sandbox.pass({ hours: 1 })
  expect((await search(bearer, { location })).status).toBe(401)
})

test('places near a ZIP come nearest first with hours, without those that keep small parcels only', async () => {
  await using sandbox = await startTestSandbox(port)
  const near = await at(sandbox.origin).near(chicago)
  if (!near.ok) throw new Error(near.reason)
  expect(near.value.length).toBeGreaterThan(3)
  expect(near.value.map(({ miles }) => miles)).toEqual(near.value.map(({ miles }) => miles).toSorted((a, b) => a - b))
  expect(near.value.filter(({ name }) => name.startsWith('FedEx OnSite'))).toEqual([])
  const [first] = near.value
  expect(first?.week.find(({ weekday }) => weekday === 1)?.opens).toMatch(/^\d\d:\d\d$/)
  const { latitude = 0, longitude = 0 } = first ?? {}
  const again = await at(sandbox.origin).near({ ...chicago, at: { latitude, longitude }, radiusMiles: 1 })
  expect(again).toMatchObject({ ok: true, value: [{ ref: first?.ref, miles: 0 }] })
  // There is no location in the Arctic, which FedEx returns as an error.
  expect(await at(sandbox.origin).near({ ...chicago, at: { zip: '99723' }, radiusMiles: 5 })).toEqual({
    ok: true,
    value: [],
  })
})

test('each project has a separate secret', async () => {
  await using sandbox = await startTestSandbox(port, { fedExProjects: ['l7old:the old one', 'l7next:the next one'] })
  const knows = async (apiKey: string, secretKey: string) =>
    (await at(sandbox.origin, { apiKey, secretKey }).near(chicago)).ok
  expect(await knows('l7old', 'the old one')).toBe(true)
  expect(await knows('l7next', 'the next one')).toBe(true)
  expect(await knows('l7old', 'the next one')).toBe(false)
  expect(await knows('l7next', '')).toBe(false)
})

test('one token serves many calls and is renewed when it expires or is revoked', async () => {
  await using server = await serve({})
  let time = now()
  const places = at(server.origin, { now: () => time })
  await Promise.all([places.near(chicago), places.near(chicago)])
  expect(server.asked.filter((path) => path === '/oauth/token')).toHaveLength(1)
  time = time.add({ minutes: 59 })
  await places.near(chicago)
  expect(server.asked.filter((path) => path === '/oauth/token')).toHaveLength(2)

  await using sandbox = await startTestSandbox(port)
  const withdrawn = at(sandbox.origin)
  expect((await withdrawn.near(chicago)).ok).toBe(true)
  await sandbox.pass({ hours: 2 })
  expect((await withdrawn.near(chicago)).ok).toBe(true)
})

test.for([
  ['a wrong secret', { token: { error: 'no' } }, 'unavailable'],
  ['a failure', { status: 500 }, 'unavailable'],
  ['too many calls', { status: 429 }, 'unavailable'],
  ['a refusal', { status: 400 }, 'refused'],
  ['no JSON', { locations: '<html>' }, 'unavailable'],
  ['an endless answer', { locations: `{"output":${' '.repeat(1_100_000)}{}}` }, 'unavailable'],
] as const)('%s is an answer, not an exception', async ([, answers, reason]) => {
  await using server = await serve(answers)
  expect(await at(server.origin).near(chicago)).toMatchObject({ ok: false, reason })
})

test('skips malformed locations and reads FedEx’s undocumented spellings', async () => {
  const good = {
    locationId: 'CHIK',
    distance: { units: 'KM', value: 16.1 },
    contactAndAddress: {
      contact: { companyName: 'FedEx Office' },
      address: {
        streetLines: ['1 Oak St', 'Unit 2'],
        city: 'Chicago',
        stateOrProvinceCode: 'IL',
        postalCode: '60614-1234',
        countryCode: 'US',
      },
    },
    geoPositionalCoordinates: { latitude: 41.9, longitude: -87.6 },
    storeHours: [
      {
        dayofweek: 'MON',
        operationalHoursType: 'OPEN_BY_HOURS',
        operationalHours: { begins: '09:00:00', ends: '18:00:00' },
      },
      { dayOfWeek: 'SUNDAY', operationalHoursType: 'OPEN_ALL_DAY' },
      { dayOfWeek: 'SAT', operationalHoursType: 'CLOSED_ALL_DAY' },
    ],
  }
  const abroad = { ...good, contactAndAddress: { address: { ...good.contactAndAddress.address, countryCode: 'CA' } } }
  const small = { ...good, packageMaximumLimits: { weight: { units: 'KG', value: 25 } } }
  await using server = await serve({
    locations: JSON.stringify({ output: { locationDetailList: [abroad, small, {}, good] } }),
  })
  expect(await at(server.origin).near(chicago)).toEqual({
    ok: true,
    value: [
      {
        ref: 'CHIK',
        name: 'FedEx Office',
        street: '1 Oak St, Unit 2',
        city: 'Chicago',
        state: 'IL',
        zip: '60614',
        latitude: 41.9,
        longitude: -87.6,
        week: [
          { weekday: 1, opens: '09:00', closes: '18:00' },
          { weekday: 7, opens: '00:00', closes: '23:59' },
        ],
        holdsDays: 7,
        miles: 10,
      },
    ],
  })
})
