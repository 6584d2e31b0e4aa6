/**
 * FedEx's Locations Search API (https://developer.fedex.com/api/en-us/catalog/locations/v1/docs.html), with an OAuth
 * token (https://developer.fedex.com/api/en-us/catalog/authorization/v1/docs.html).
 */
import { z } from 'zod'
import type {
  FoundPlace,
  PickupPlaces,
  PlaceHours,
  PlacesAnswer,
  PlacesAsked,
} from '#domain/supply/pickup-places/pickup-places.port.ts'
import { requestIdHeader } from '#platform/request-scope.ts'

export type FedExConfig = {
  /** https://apis.fedex.com, or a server that speaks its protocol. */
  apiOrigin: string
  apiKey: string
  secretKey: string
  now(): Temporal.Instant
}

const timeoutMs = 5_000
const longestAnswer = 1_000_000
/** A token is renewed this long before it ends. */
const tokenMarginSeconds = 60
/** FedEx holds a package for seven days at a staffed location. Its response doesn't contain this. */
const holdsDays = 7
/** Staffed locations with room for tires. Excludes drop boxes and shops for small packages only. */
const locationTypes = [
  'FEDEX_OFFICE',
  'FEDEX_AUTHORIZED_SHIP_CENTER',
  'FEDEX_EXPRESS_STATION',
  'FEDEX_FACILITY',
  'FEDEX_ONSITE',
]

const token = z.object({ access_token: z.string().min(1).max(10_000), expires_in: z.number().positive() })

const line = z.string().trim().min(1).max(200)
const time = z.string().regex(/^\d{2}:\d{2}(:\d{2})?$/)
const span = z.object({ begins: time, ends: time })
const storeHours = z.object({
  dayOfWeek: z.string().optional(),
  dayofweek: z.string().optional(),
  operationalHoursType: z.string().optional(),
  operationalHours: z.union([z.array(span), span]).optional(),
})
const location = z.object({
  locationId: z.string().min(1).max(40),
  distance: z.object({ units: z.string(), value: z.number().min(0) }),
  contactAndAddress: z.object({
    contact: z.object({ companyName: line }).optional(),
    address: z.object({
      streetLines: z.array(z.string().max(200)).min(1).max(5),
      city: line,
      stateOrProvinceCode: z.string().regex(/^[A-Z]{2}$/),
      postalCode: z.string().regex(/^\d{5}(-?\d{4})?$/),
      countryCode: z.literal('US'),
    }),
  }),
  geoPositionalCoordinates: z.object({
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
  storeHours: z.array(storeHours).max(20).nullish(),
  packageMaximumLimits: z.object({ weight: z.object({ units: z.string(), value: z.number() }).nullish() }).nullish(),
})
const found = z.object({ output: z.object({ locationDetailList: z.array(z.unknown()).nullish() }) })

/** Shown to shoppers as FedEx. Answers of another form are left out place by place. */
export function createFedExPlaces(config: FedExConfig): PickupPlaces {
  const tokens = keepToken(config)
  return {
    carrier: 'FedEx',
    async near(asked) {
      try {
        let response = await post(config, await tokens.current(), bodyOf(asked))
        if (response.status === 401) {
          // Ended or withdrawn before its time.
          tokens.forget()
          response = await post(config, await tokens.current(), bodyOf(asked))
        }
        return await readAnswer(response, asked)
      } catch (cause) {
        return { ok: false, reason: 'unavailable', cause }
      }
    },
  }
}

/** The token, asked for once and kept until shortly before it ends. */
function keepToken({ apiOrigin, apiKey, secretKey, now }: FedExConfig) {
  let kept: { token: Promise<string>; until: Temporal.Instant } | undefined
  async function ask(): Promise<string> {
    const response = await fetch(`${apiOrigin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...requestIdHeader() },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: apiKey, client_secret: secretKey }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readCapped(response)
    if (!response.ok) throw new Error(`FedEx gives no token: ${response.status}.`)
    const parsed = token.parse(JSON.parse(text))
    if (kept) kept.until = now().add({ seconds: Math.max(0, Math.floor(parsed.expires_in) - tokenMarginSeconds) })
    return parsed.access_token
  }
  return {
    current(): Promise<string> {
      if (kept && Temporal.Instant.compare(now(), kept.until) < 0) return kept.token
      const asked: Promise<string> = Promise.resolve()
        .then(ask)
        .catch((error: unknown) => {
          kept = undefined
          throw error
        })
      // Concurrent calls share this token request.
      kept = { token: asked, until: now().add({ seconds: 2 * (timeoutMs / 1_000) }) }
      return asked
    },
    forget(): void {
      kept = undefined
    },
  }
}

function post({ apiOrigin }: FedExConfig, bearer: string, body: object): Promise<Response> {
  return fetch(`${apiOrigin}/location/v1/locations`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${bearer}`,
      'x-locale': 'en_US',
      ...requestIdHeader(),
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

function bodyOf({ at, radiusMiles, limit }: PlacesAsked) {
  const isZip = 'zip' in at
  return {
    locationsSummaryRequestControlParameters: { distance: { units: 'MI', value: radiusMiles }, maxResults: limit },
    locationSearchCriterion: isZip ? 'ADDRESS' : 'GEOGRAPHIC_COORDINATES',
    location: isZip
      ? { address: { postalCode: at.zip, countryCode: 'US' } }
      : { address: { countryCode: 'US' }, longLat: { latitude: at.latitude, longitude: at.longitude } },
    multipleMatchesAction: 'RETURN_ALL',
    sort: { criteria: 'DISTANCE', order: 'ASCENDING' },
    sameCountry: true,
    locationTypes,
    locationCapabilities: [{ carrierCode: 'FDXG', transferOfPossessionType: 'HOLD_AT_LOCATION' }],
  }
}

async function readAnswer(response: Response, { limit, weightLb }: PlacesAsked): Promise<PlacesAnswer> {
  const text = await readCapped(response)
  // FedEx returns an empty result as an error.
  if (response.status === 404 || (response.status === 400 && text.includes('LOCATION.SEARCH.NORESULTS')))
    return { ok: true, value: [] }
  if (!response.ok) {
    const isRefusal = response.status >= 400 && response.status < 500 && ![401, 403, 408, 429].includes(response.status)
    return { ok: false, reason: isRefusal ? 'refused' : 'unavailable', cause: text.slice(0, 500) }
  }
  const { output } = found.parse(JSON.parse(text))
  const places = (output.locationDetailList ?? []).slice(0, limit).flatMap((given) => {
    const parsed = location.safeParse(given)
    return parsed.success && holds(parsed.data, weightLb) ? [placeOf(parsed.data)] : []
  })
  return { ok: true, value: places.toSorted((a, b) => a.miles - b.miles) }
}

type Location = z.output<typeof location>

function holds({ packageMaximumLimits: most }: Location, weightLb: number): boolean {
  const weight = most?.weight
  if (!weight) return true
  return weight.value * (weight.units === 'KG' ? 2.2046 : 1) >= weightLb
}

function placeOf({
  locationId,
  distance,
  contactAndAddress,
  geoPositionalCoordinates,
  storeHours: week,
}: Location): FoundPlace {
  const { contact, address } = contactAndAddress
  return {
    ref: locationId,
    name: contact?.companyName ?? 'FedEx location',
    street: address.streetLines
      .map((text) => text.trim())
      .filter(Boolean)
      .join(', '),
    city: address.city,
    state: address.stateOrProvinceCode,
    zip: address.postalCode.slice(0, 5),
    ...geoPositionalCoordinates,
    week: (week ?? []).flatMap(hoursOf),
    holdsDays,
    miles: Math.round(distance.value * (distance.units === 'KM' ? 0.6214 : 1) * 10) / 10,
  }
}

const weekdays = new Map(
  ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'].map((name, index) => [name, index + 1] as const),
)

function hoursOf({
  dayOfWeek,
  dayofweek,
  operationalHoursType,
  operationalHours,
}: z.output<typeof storeHours>): PlaceHours[] {
  const weekday = weekdays.get((dayOfWeek ?? dayofweek ?? '').slice(0, 3).toUpperCase())
  if (weekday === undefined || operationalHoursType === 'CLOSED_ALL_DAY') return []
  if (operationalHoursType === 'OPEN_ALL_DAY') return [{ weekday, opens: '00:00', closes: '23:59' }]
  const spans = Array.isArray(operationalHours) ? operationalHours : operationalHours ? [operationalHours] : []
  return spans.slice(0, 3).map(({ begins, ends }) => ({ weekday, opens: begins.slice(0, 5), closes: ends.slice(0, 5) }))
}

/** The body, or an error for one that is longer than any real answer. */
async function readCapped(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longestAnswer) throw new Error('The answer of FedEx is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
