/** What the operations of the API take and answer. Made from its document by `npm run generate-types`, never by hand. */

export type Problem = { type: string; title: string; status: number; detail: string; instance: string; code: "BadRequest" | "Unauthorized" | "Forbidden" | "MethodNotAllowed" | "NotAcceptable" | "BodyTooLarge" | "UnsupportedMediaType" | "TooManyCalls" | "ServerError" | "Unavailable" | "NotFound" | "UnknownZip" | "UnknownVehicle" | "NoCart" | "NotSold" | "NoSuchLine" | "IdempotencyKeyMissing" | "IdempotencyKeyReused" | "IdempotencyInProgress" | "NothingThere" | "PreconditionFailed" | "PreconditionRequired"; message: string; statusCode: number; data: unknown; errorMessage: string }

export type FoundPlace = { kind: "listing" | "vehicle" | "line" | "item" | "shop" | "zip"; path: string; parts: Record<string, string | number> }

export type Suggestion = { kind: string; label: string; detail: string; place: FoundPlace }

export type TireOffer = { key: string; kind: "tire" | "set" | "line"; brand: { slug: string; name: string }; line: { slug: string; name: string }; type: { slug: string; name: string }; tread: string; mPlusS: boolean; threePeak: boolean; items: ({ itemId: number; size: string; sizeSlug: string; service: string; range: string | null; runFlat: boolean; sidewall: string; oeMark: string | null; unitCents: number; wasCents: number | null })[]; perTireCents: number; fourCents: number; totalCents: number | null; deal: { headline: string; endsAt: string } | null; score: { tenths: number; band: string } | null; rating: { hundredths: number; count: number } | null; warrantyMiles: number | null; isInStock: boolean; readyOn: string | null; fit: { verdict: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; text: string } | null; sizes: number }

export type Listing = { total: number; inScope: number; notFitting: number; vehicle: string | null; names: { sizes: ({ front: string; rear: string })[]; brand: { slug: string; name: string } | null; type: { slug: string; name: string } | null; category: { slug: string; name: string } | null }; fromCents: number; offers: (TireOffer)[]; next: string | null; facets: ({ name: "verdict" | "type" | "category" | "brand" | "speed" | "load" | "range" | "sidewall" | "mark" | "by" | "total" | "rating" | "score" | "warranty" | "snow" | "mud-snow" | "ev" | "run-flat" | "deal" | "stock" | "price"; options: ({ value: string; label: string; count: number; isChosen: boolean })[] })[]; picks: ({ reason: string; key: string })[] }

export type Product = { itemId: number; sku: string; brand: { slug: string; name: string }; line: { slug: string; name: string }; type: { slug: string; name: string }; category: { slug: string; name: string }; about: string; size: string; sizeSlug: string; unitCents: number; wasCents: number | null; fetCents: number; units: number; specs: ({ name: string; value: string; note: string | null })[]; score: { tenths: number; band: string } | null; rebate: { name: string; amountCents: number; units: number; endsAt: string } | null; rating: { count: number; overallHundredths: number; buyAgainPercent: number; histogram: (number)[]; attributes: Record<string, number | null> } | null; sizes: ({ itemId: number; size: string; sizeSlug: string; service: string; unitCents: number; isInStock: boolean })[]; fit: Verdict | null; similar: (TireOffer)[] }

export type Verdict = { verdict: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; headline: string; lines: (string)[]; notes: (string)[]; labelQuestion: string | null; conditions: ({ code: string; text: string })[]; findings: ({ rule: string; axle: string; level: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; text: string })[]; passed: (string)[]; ruleBook: string }

export type PriceRow = { key: string; label: string; detail: string; amountCents: number }

export type Opening = { kind: "wait" | "drop-off"; date: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; readyBy: string | null }

export type Vehicle = { key: string; name: string; isSized: boolean; isConfirmed: boolean; trims: ({ slug: string; name: string; fitments: ({ id: number; front: { size: string; sizeSlug: string | null; loadIndex: number | null; speed: string | null }; rear: { size: string; sizeSlug: string | null; loadIndex: number | null; speed: string | null }; isStaggered: boolean; source: "catalog" | "weak" })[] })[]; sizes: ({ front: string; rear: string })[] }

export type Place = { zip: string; city: string; state: string; latitude: number | null; longitude: number | null; region: "CONUS" | "AK" | "HI" | "TERRITORY" | "MILITARY" }

export type UserPersonalization = { userLocation: { zip: string } | null; userLocationZip: string | null; gaClientId: string | null }

/** By method and path. */
export type Operations = {
  /** Where a text leads */
  'GET /search': { input: { query: { q: string }; headers?: Record<string, string> }; data: { place: FoundPlace | null; suggestions: (Suggestion)[]; meant: Suggestion | null } }
  /** What a text typed so far could mean */
  'GET /search/suggestions': { input: { query: { q: string }; headers?: Record<string, string> }; data: (Suggestion)[] }
  /** Sizes in which something is sold */
  'GET /sizes': { input: { query?: { rim?: number | undefined }; headers?: Record<string, string> }; data: ({ slug: string; designation: string; kind: string; rimIn: number; sectionWidthMm: number; aspect: number })[] }
  /** Brands, by name */
  'GET /brands': { input: { headers?: Record<string, string> }; data: ({ slug: string; name: string; tier: "value" | "mid" | "premium"; about: string; lines: number; reviews: number })[] }
  /** Types and categories of tires */
  'GET /kinds': { input: { headers?: Record<string, string> }; data: { types: ({ slug: string; name: string; definition: string; typeSlug: string; lines: number; fromCents: number })[]; categories: ({ slug: string; name: string; definition: string; typeSlug: string; lines: number; fromCents: number })[] } }
  /** Promotions that run now */
  'GET /deals': { input: { headers?: Record<string, string> }; data: ({ slug: string; headline: string; kind: string; startsAt: string; endsAt: string; offer: TireOffer | null })[] }
  /** Tires of a size, a vehicle, a brand, a type or a category */
  'GET /tires': { input: { query?: { size?: string | undefined; rearSize?: string | undefined; brand?: string | undefined; type?: string | undefined; category?: string | undefined; rim?: number | undefined; vehicle?: string | undefined; zip?: string | undefined; verdict?: ("fits" | "fits_with_conditions" | "unknown" | "does_not_fit")[] | undefined; speed?: (string)[] | undefined; load?: (string)[] | undefined; range?: (string)[] | undefined; sidewall?: (string)[] | undefined; mark?: (string)[] | undefined; minDollars?: number | undefined; maxDollars?: number | undefined; by?: string | undefined; total?: "400" | "600" | "750" | "900" | "1200" | "1600" | undefined; rating?: "3" | "4" | "4.5" | "3.5" | undefined; score?: "7" | "8" | "9" | undefined; warranty?: "40000" | "50000" | "60000" | "70000" | "80000" | undefined; snow?: "1" | undefined; "mud-snow"?: "1" | undefined; ev?: "1" | undefined; "run-flat"?: "1" | undefined; deal?: "1" | undefined; stock?: "1" | undefined; sort?: "best" | "price" | "price-desc" | "rating" | "score" | "warranty" | undefined; limit?: "24" | "48" | "96" | undefined; cursor?: string | undefined }; headers?: Record<string, string> }; data: Listing }
  /** An article */
  'GET /tires/{itemId}': { input: { params: { itemId: number }; query?: { vehicle?: string | undefined }; headers?: Record<string, string> }; data: Product }
  /** Whether tires fit a vehicle */
  'GET /fitment': { input: { query: { vehicle: string; item: number; rearItem?: number | undefined }; headers?: Record<string, string> }; data: Verdict }
  /** What tires cost installed at the shops nearby, and when they can be */
  'GET /tires/{itemId}/installed': { input: { params: { itemId: number }; query: { zip: string; quantity?: number | undefined; rearItem?: number | undefined; shops?: number | undefined }; headers?: Record<string, string> }; data: ({ shop: { id: number; code: string; name: string; city: string; state: string; zip: string; timeZone: string; miles: number }; totalCents: number; rows: (PriceRow)[]; minutes: number; arrivesOn: string | null; openings: (Opening)[] })[] }
  /** Two to five tires beside each other */
  'GET /comparison': { input: { query: { tire: (string)[]; vehicle?: string | undefined; zip?: string | undefined }; headers?: Record<string, string> }; data: ({ offer: TireOffer; specs: ({ name: string; value: string; note: string | null })[] })[] }
  /** The lists of the vehicle finder */
  'GET /vehicles': { input: { query?: { year?: number | undefined; make?: string | undefined; model?: string | undefined }; headers?: Record<string, string> }; data: { years: (number)[]; makes: ({ slug: string; name: string; hasSizes: boolean })[]; models: ({ slug: string; name: string; hasSizes: boolean })[]; trims: ({ slug: string; name: string; hasSizes: boolean })[] } }
  /** A vehicle, its trims and its original sizes */
  'GET /vehicles/{year}/{make}/{model}': { input: { params: { year: number; make: string; model: string }; query?: { trim?: string | undefined; fitment?: number | undefined; confirmed?: "0" | "1" | undefined; labelFront?: string | undefined; labelRear?: string | undefined; allWheelDrive?: "0" | "1" | undefined }; headers?: Record<string, string> }; data: Vehicle }
  /** The place of a ZIP */
  'GET /places/{zip}': { input: { params: { zip: string }; headers?: Record<string, string> }; data: Place }
  /** Keep where the shopper is */
  'PUT /users/me/personalization': { input: { body: { userLocationZip?: string | undefined; gaClientId?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: UserPersonalization }
  /** Recent searches, newest first */
  'GET /users/me/history/search': { input: { headers?: Record<string, string> }; data: ({ label: string; path: string; searchedAt: string })[] }
  /** Remember a search */
  'POST /users/me/history/search': { input: { body: { label: string; path: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { label: string; path: string } }
  /** Forget all searches */
  'DELETE /users/me/history/search': { input: { headers?: Record<string, string> }; data: undefined }
  /** The session and what the shopper is served by */
  'GET /users/session': { input: { query?: { regionId?: string | undefined }; headers?: Record<string, string> }; data: { userSessionId: string; userPersonalization: UserPersonalization; regionId: string | null } }
  /** The sign-in id of who is signed in */
  'GET /user-details': { input: { headers?: Record<string, string> }; data: { uid: string } }
}
