import { Hono, type Context } from 'hono'
import { z } from 'zod'
import type { Secrets } from '#platform/secrets.ts'
import { formFields } from '../body.ts'
import { newId } from '../ids.ts'
import { isSameSecret } from '../signature.ts'
import type { Store } from '../store.ts'
import { placesAround, pointOfZip, type SandboxPlace } from './places.ts'

export type Places = {
  now(): Temporal.Instant
  /** Of each project of the store the API key, a colon and its secret. */
  projects: Secrets
  store: Store
}

const tokenSeconds = 3_599
const kilometersPerMile = 1.609344

/** The body of `POST /location/v1/locations`. Refuses unknown fields, so unsupported features don't seem to work. */
const search = z.strictObject({
  locationsSummaryRequestControlParameters: z
    .strictObject({
      distance: z.strictObject({ units: z.enum(['MI', 'KM']), value: z.number().positive().max(100) }).optional(),
      maxResults: z.int().min(1).max(100).optional(),
    })
    .optional(),
  locationSearchCriterion: z.enum(['ADDRESS', 'GEOGRAPHIC_COORDINATES']).default('ADDRESS'),
  location: z.strictObject({
    address: z.strictObject({
      streetLines: z.array(z.string()).optional(),
      city: z.string().optional(),
      stateOrProvinceCode: z.string().optional(),
      postalCode: z.string().optional(),
      countryCode: z.literal('US'),
    }),
    longLat: z.strictObject({ latitude: z.number(), longitude: z.number() }).optional(),
  }),
  multipleMatchesAction: z.enum(['RETURN_ALL', 'RETURN_ERROR', 'RETURN_FIRST']).optional(),
  sort: z.strictObject({ criteria: z.literal('DISTANCE'), order: z.literal('ASCENDING') }).optional(),
  sameState: z.boolean().optional(),
  sameCountry: z.boolean().optional(),
  locationTypes: z.array(z.string()).optional(),
  locationCapabilities: z
    .array(z.strictObject({ carrierCode: z.string().optional(), transferOfPossessionType: z.string().optional() }))
    .optional(),
})

/** FedEx's token and its Locations Search API, as https://developer.fedex.com describes them. */
export function createPlacesApi(places: Places): Hono {
  const app = new Hono()
  /** When each token ends. */
  const tokens = places.store.collection<{ endsAt: string }>('fedex-token')

  app.post('/oauth/token', async (c) => {
    const fields = await formFields(c)
    if (fields.get('grant_type') !== 'client_credentials')
      return fault(c, 422, 'INVALID.INPUT.ERROR', 'Invalid field value in the input')
    const given = `${fields.get('client_id') ?? ''}:${fields.get('client_secret') ?? ''}`
    if (!isSameSecret(given, places.projects))
      return fault(
        c,
        401,
        'NOT.AUTHORIZED.ERROR',
        'The given client credentials were not valid. Please modify your request and try again.',
      )
    const access_token = newId('', 40)
    tokens.put(access_token, { endsAt: places.now().add({ seconds: tokenSeconds }).toString() })
    return c.json({ access_token, token_type: 'bearer', expires_in: tokenSeconds, scope: 'CXS' })
  })

  app.post('/location/v1/locations', async (c) => {
    const [, bearer = ''] = /^Bearer (\S{1,200})$/.exec(c.req.header('authorization') ?? '') ?? []
    const kept = tokens.get(bearer)
    if (!kept || Temporal.Instant.compare(places.now(), kept.endsAt) >= 0)
      return fault(c, 401, 'NOT.AUTHORIZED.ERROR', 'Access token expired. Please modify your request and try again.')
    const parsed = search.safeParse(await c.req.json().catch(() => undefined))
    if (!parsed.success) return fault(c, 400, 'INVALID.INPUT.EXCEPTION', 'Invalid field value in the input')
    return answer(c, parsed.data)
  })
  return app
}

function answer(c: Context, asked: z.output<typeof search>): Response {
  const { distance = { units: 'MI', value: 5 }, maxResults = 10 } = asked.locationsSummaryRequestControlParameters ?? {}
  const { address, longLat } = asked.location
  const point =
    asked.locationSearchCriterion === 'GEOGRAPHIC_COORDINATES'
      ? longLat
      : pointOfZip(address.postalCode?.slice(0, 5) ?? '')
  if (!point && asked.locationSearchCriterion === 'GEOGRAPHIC_COORDINATES')
    return fault(c, 400, 'ERROR.LONGLAT.REQUIRED', 'Longitude and Latitude are required.')
  const isMiles = distance.units === 'MI'
  const near = point ? placesAround(point, distance.value / (isMiles ? 1 : kilometersPerMile)) : []
  const found = near.filter(({ place }) => asked.locationTypes?.includes(place.locationType) ?? true)
  if (found.length === 0)
    return fault(c, 404, 'LOCATION.SEARCH.NORESULTS', 'No locations were found for the given search.')
  const shown = found.slice(0, maxResults)
  return c.json({
    transactionId: crypto.randomUUID(),
    output: {
      totalResults: found.length,
      resultsReturned: shown.length,
      matchedAddress: { ...address, residential: false },
      locationDetailList: shown.map(({ place, miles }) =>
        detailOf(place, { units: distance.units, value: round(isMiles ? miles : miles * kilometersPerMile) }),
      ),
    },
  })
}

const days = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

function detailOf(place: SandboxPlace, distance: { units: string; value: number }): object {
  return {
    distance,
    contactAndAddress: {
      contact: { companyName: place.companyName, phoneNumber: '8005550199' },
      address: {
        streetLines: [place.street],
        city: place.city,
        stateOrProvinceCode: place.state,
        postalCode: place.zip,
        countryCode: 'US',
        residential: false,
      },
    },
    locationId: place.locationId,
    storeHours: place.week.map((hours, index) => ({
      dayOfWeek: days[index],
      operationalHoursType: hours ? 'OPEN_BY_HOURS' : 'CLOSED_ALL_DAY',
      ...(hours && { operationalHours: [{ begins: hours[0], ends: hours[1] }] }),
    })),
    geoPositionalCoordinates: { latitude: place.latitude, longitude: place.longitude },
    locationType: place.locationType,
    packageMaximumLimits: { weight: { units: 'LB', value: place.mostLb } },
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function fault(c: Context, status: 400 | 401 | 404 | 422, code: string, message: string): Response {
  return c.json({ transactionId: crypto.randomUUID(), errors: [{ code, message }] }, status)
}
