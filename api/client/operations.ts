/** What the operations of the API take and answer. Made from its document by `npm run generate-types`, never by hand. */

export type Problem = { type: string; title: string; status: number; detail: string; instance: string; code: "BadRequest" | "Unauthorized" | "Forbidden" | "MethodNotAllowed" | "NotAcceptable" | "BodyTooLarge" | "UnsupportedMediaType" | "AddressTooLong" | "HeadersTooLarge" | "TooManyCalls" | "ServerError" | "Unavailable" | "NotFound" | "UnknownZip" | "UnknownStore" | "UnknownVehicle" | "NoCart" | "NotSold" | "LineNotFound" | "IdempotencyKeyMissing" | "IdempotencyKeyReused" | "IdempotencyInProgress" | "NothingThere" | "OutsideArea" | "ShopNotFound" | "ServiceNotOffered" | "ShopNotCapable" | "OutOfStock" | "SlotTaken" | "OutsideHours" | "TooSoon" | "TooLate" | "TooManyHolds" | "NoHold" | "TooManyExtensions" | "AddressUnsure" | "AddressOfShop" | "NotDelivered" | "CartIncomplete" | "CartNotForSale" | "TermsNotAccepted" | "ConditionsNotAccepted" | "DoesNotFit" | "PriceChanged" | "OrderChanged" | "SlotLost" | "PaymentNotAuthorized" | "ApprovalNeeded" | "RefusedOnline" | "StoreClosed" | "PaymentUnavailable" | "CarrierUnavailable" | "OrderNotFound" | "NoMatch" | "TooManyAttempts" | "CodeWrong" | "CodeExpired" | "CodeUsed" | "ReturnNotFound" | "PhotoRefused" | "NotReturnable" | "TooLateToCancelReturn" | "TooLateToConfirm" | "TooLateToCancel" | "AppointmentChanged" | "AppointmentOver" | "NoticeOver" | "TimeFree" | "ActionRefused" | "NotPossible" | "NotYours" | "NoCompany" | "AddressRefused" | "WebhookPaused" | "Gone" | "AlreadyThere" | "TooMany" | "LastOwner" | "OtherPrices" | "NoMembership" | "TooEarly" | "NotGivenBack" | "VerificationUnavailable" | "CouponNotFound" | "CouponUsedUp" | "CodeNotFound" | "NoWorkEmail" | "ReviewExists" | "VoteExists" | "PurchaseNotFound" | "PreconditionFailed" | "PreconditionRequired"; message: string; statusCode: number; data: unknown; errorMessage: string }

export type FoundPlace = { kind: "listing" | "vehicle" | "line" | "item" | "shop" | "zip" | "area" | "rim" | "height" | "other-brand" | "page"; path: string; parts: Record<string, string | number> }

export type Suggestion = { kind: string; label: string; detail: string; place: FoundPlace }

export type TireOffer = { key: string; kind: "tire" | "set" | "line"; brand: { slug: string; name: string }; line: { slug: string; name: string }; type: { slug: string; name: string }; tread: string; mPlusS: boolean; threePeak: boolean; items: ({ itemId: number; size: string; sizeSlug: string; service: string; range: string | null; runFlat: boolean; sidewall: string; oeMark: string | null; unitCents: number; wasCents: number | null; fetCents: number })[]; perTireCents: number; shippingPerTireCents: number | null; fourCents: number; priceLabel: string | null; totalCents: number | null; deal: { headline: string; endsAt: string } | null; score: { tenths: number; band: string } | null; rating: { hundredths: number; count: number } | null; warrantyMiles: number | null; isInStock: boolean; readyOn: string | null; fit: { verdict: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; text: string } | null; sizes: number }

export type Listing = { total: number; inScope: number; notFitting: number; vehicle: string | null; names: { sizes: ({ front: string; rear: string })[]; brand: { slug: string; name: string } | null; type: { slug: string; name: string } | null; category: { slug: string; name: string } | null }; fromCents: number; offers: (TireOffer)[]; next: string | null; facets: ({ name: "verdict" | "type" | "category" | "brand" | "speed" | "load" | "range" | "sidewall" | "mark" | "by" | "total" | "rating" | "score" | "warranty" | "snow" | "mud-snow" | "ev" | "run-flat" | "deal" | "stock" | "price"; options: ({ value: string; label: string; count: number; isChosen: boolean })[] })[]; picks: ({ reason: string; key: string })[] }

export type Product = { itemId: number; sku: string; brand: { slug: string; name: string }; line: { slug: string; name: string }; type: { slug: string; name: string }; category: { slug: string; name: string }; about: string; size: string; sizeSlug: string; unitCents: number; wasCents: number | null; fetCents: number; shippingPerTireCents: number | null; priceLabel: string | null; units: number; specs: ({ name: string; value: string; note: string | null })[]; score: { tenths: number; band: string } | null; rebate: { name: string; amountCents: number; units: number; endsAt: string } | null; rating: { count: number; overallHundredths: number; buyAgainPercent: number; histogram: (number)[]; attributes: Record<string, number | null> } | null; photos: ({ url: string; description: string })[]; sizes: ({ itemId: number; size: string; sizeSlug: string; service: string; unitCents: number; isInStock: boolean })[]; fit: Verdict | null; similar: (TireOffer)[] }

export type Verdict = { verdict: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; headline: string; lines: (string)[]; notes: (string)[]; labelQuestion: string | null; conditions: ({ code: string; text: string })[]; findings: ({ rule: string; axle: string; level: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; text: string })[]; passed: (string)[]; ruleBook: string }

export type PriceRow = { key: string; label: string; detail: string; amountCents: number }

export type Opening = { kind: "wait" | "drop-off"; date: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; readyBy: string | null }

export type VehicleMatch = { year: number; make: string; model: string; trim: string | null }

export type Vehicle = { key: string; name: string; isSized: boolean; isConfirmed: boolean; trims: ({ slug: string; name: string; fitments: ({ id: number; front: { size: string; sizeSlug: string | null; loadIndex: number | null; speed: string | null }; rear: { size: string; sizeSlug: string | null; loadIndex: number | null; speed: string | null }; isStaggered: boolean; source: "catalog" | "weak"; wheels: { frontPsi: number | null; rearPsi: number | null; frontOffsetMm: { min: number; max: number } | null; rearOffsetMm: { min: number; max: number } | null; boltPattern: string | null; hubBoreMm: number | null; tpms: "direct" | "indirect" | "none" | null; torqueLbFt: number | null; sources: ({ name: string; date: string })[] } | null })[] })[]; sizes: ({ front: string; rear: string })[] }

export type Place = { zip: string; city: string; state: string; latitude: number | null; longitude: number | null; region: "CONUS" | "AK" | "HI" | "TERRITORY" | "MILITARY"; timeZone: string | null }

export type NearbyShop = { id: number; code: string; name: string; kind: "shop" | "van"; street: string | null; city: string; state: string; zip: string; timeZone: string; phone: string; ratingTenths: number | null; ratingCount: number; onTimePercent: number | null; miles: number }

export type Shop = { id: number; code: string; name: string; kind: "shop" | "van"; street: string | null; city: string; state: string; zip: string; timeZone: string; phone: string; ratingTenths: number | null; ratingCount: number; onTimePercent: number | null; latitude: number | null; longitude: number | null; amenities: (string)[]; isOpen: boolean; limits: { rimMinIn: number; rimMaxIn: number; aspectMin: number; takesRunFlat: boolean; takesLightTruck: boolean }; hours: ({ weekday: number; opens: number; closes: number })[]; closures: ({ on: string; reason: string })[]; rates: ({ job: "standard" | "low-profile" | "run-flat" | "light-truck"; rimFromIn: number; rimToIn: number; installCents: number; serviceKitCents: number; disposalCents: number; minutesPerTire: number })[]; services: ({ service: string; name: string; unit: "vehicle" | "tire"; priceCents: number; minutes: number; storageMonths: number | null })[]; arrivesOn: string | null; openings: (Opening)[] }

export type Cart = { version: number; tireCount: number; zip: string | null; vehicle: { key: string; name: string } | null; fulfillment: "shop" | "mobile" | "home" | "carrier-pickup" | "warehouse-pickup" | null; shopId: number | null; carrierLocationId: number | null; pickupWarehouseId: number | null; dealerCode: string | null; installerId: string | null; coveragePlan: "replacement" | "road-hazard"; roadside: boolean; coupon: string | null; servicesAsked: boolean; service: { service: string; units: number } | null; parts: ({ sku: string; kind: string; name: string; quantity: number; unitCents: number; isSold: boolean })[]; lines: ({ itemId: number; axle: "all" | "front" | "rear"; quantity: number; name: string; sku: string; coverage: boolean; unitCents: number; chargedUnitCents: number; priceLabel: string | null; seenUnitCents: number; fetUnitCents: number; available: number })[] }

export type ChangedCart = { version: number; tireCount: number; zip: string | null; vehicle: { key: string; name: string } | null; fulfillment: "shop" | "mobile" | "home" | "carrier-pickup" | "warehouse-pickup" | null; shopId: number | null; carrierLocationId: number | null; pickupWarehouseId: number | null; dealerCode: string | null; installerId: string | null; coveragePlan: "replacement" | "road-hazard"; roadside: boolean; coupon: string | null; servicesAsked: boolean; service: { service: string; units: number } | null; parts: ({ sku: string; kind: string; name: string; quantity: number; unitCents: number; isSold: boolean })[]; lines: ({ itemId: number; axle: "all" | "front" | "rear"; quantity: number; name: string; sku: string; coverage: boolean; unitCents: number; chargedUnitCents: number; priceLabel: string | null; seenUnitCents: number; fetUnitCents: number; available: number })[]; notes: (string)[] }

export type Hold = { shopId: number; kind: "wait" | "drop-off" | "mobile"; start: string; end: string; timeZone: string; window: "AM" | "PM" | "EVE" | null; dropOffCode: string | null; expiresAt: string | null; extensionsLeft: number }

export type CheckoutDetails = { contact: Contact | null; billing: Billing | null }

export type Contact = { firstName: string; lastName: string; company: string | null; address1: string; address2: string | null; city: string; state: string; zip: string; phone: { digits: string; extension: string | null }; phoneType: string; instructions: string | null; email: string; vehicleNote: string | null }

export type Billing = { sameAsShipping: boolean; name: string; address1: string; address2: string | null; city: string; state: string; zip: string; phone: string; phoneType: string; poNumber: string | null }

export type CartPrice = { basis: "chosen" | "estimate"; agreedPrice: string | null; rows: (PriceRow)[]; totals: PriceTotals | null; creditCents: number; dueCents: number; shop: { id: number; name: string } | null; arrivesOn: string | null; problems: ({ kind: string; message: string })[]; moved: ({ itemId: number; name: string; fromCents: number; toCents: number })[]; moves: (string)[]; notes: (string)[] }

export type PriceTotals = { grossCents: number; itemPromotionCents: number; programCents: number; installDiscountCents: number; tenderCents: number; netCents: number; tireFeeCents: number; fetCents: number; taxBaseCents: number; taxCents: number; totalCents: number }

export type Order = { orderId: number; orderNumber: string; state: "needs-confirmation" | "confirmed" | "canceled" | "returned"; progress: "placed" | "needs-confirmation" | "confirmed" | "processing" | "pending-pickup" | "in-transit" | "delivered" | "installed" | "booked" | "done" | "canceled" | "return-requested" | "returned" | "refunded"; timeZone: string; shipments: (Shipment)[]; placedAt: string; cancelUntil: string; canCancel: boolean; confirmBy: string | null; confirmationReasons: (string)[]; fulfillment: "shop" | "mobile" | "home" | "carrier-pickup" | "warehouse-pickup"; contact: { firstName: string; lastName: string; email: string; phone: string } | null; shipTo: { name: string; street: string; city: string; state: string; zip: string } | null; pickup: { hours: string; heldSince: string | null; keptUntil: string | null; bring: string; code: string | null } | null; shop: { id: number; code: string; name: string; timeZone: string; phone: string } | null; dealerCode: string | null; channel: "widget" | "military-exchange" | null; widgetId: string | null; exchangeCustomerId: string | null; installerId: string | null; installation: "none" | "booked" | "unbooked" | "missed" | "done"; appointment: { kind: "wait" | "drop-off" | "mobile"; state: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; code: string | null } | null; storage: { storedOn: string; storedUntil: string; returnedAt: string | null } | null; lines: ({ itemId: number | null; kind: string; description: string; quantity: number; netCents: number })[]; rows: (PriceRow)[]; notes: (string)[]; totals: PriceTotals | null; payment: { state: string; capturedCents: number; refundedCents: number } | null; invoice: { state: "open" | "paid" | "canceled"; amountCents: number; paidCents: number; netDays: number; dueOn: string } | null; receipt: string | null }

export type Shipment = { state: "processed" | "pending-pickup" | "in-transit" | "delivered" | "canceled" | "returned"; step: string | null; carrier: string | null; trackingNumber: string | null; promisedOn: string; deliveredAt: string | null; from: { city: string; state: string }; tires: number; events: ({ at: string; state: "processed" | "pending-pickup" | "in-transit" | "delivered" | "canceled" | "returned"; note: string | null })[] }

export type OrderStatus = { orderId: number; orderNumber: string; state: "needs-confirmation" | "confirmed" | "canceled" | "returned"; progress: "placed" | "needs-confirmation" | "confirmed" | "processing" | "pending-pickup" | "in-transit" | "delivered" | "installed" | "booked" | "done" | "canceled" | "return-requested" | "returned" | "refunded"; timeZone: string; shipments: (Shipment)[]; look: string }

export type EarlierTime = { timeZone: string; canWait: boolean; wish: { from: string; until: string; parts: ("morning" | "afternoon" | "evening")[] } | null; offer: { offerId: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; expiresAt: string } | null }

export type OrderAppointment = { stage: "settled" | "close" | "skipped" | "missed" | "lost" | "done" | "none"; version: string; timeZone: string; appointment: { kind: "wait" | "drop-off" | "mobile"; state: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; code: string | null } | null; reply: { kind: "coming" | "late" | "not-coming"; minutesLate: number | null; at: string } | null; canTakeTime: boolean; timesOpenOn: string | null }

export type NextShop = { shopId: number; name: string; city: string; miles: number; timeZone: string; agreedPrice: string; beforeCents: number; afterCents: number; isPaidFirst: boolean; openings: (Opening)[] }

export type OrderCodeRequest = { request: string; sentTo: string; look: string }

export type OpenedOrder = { orderId: number; key: string }

export type ReturnPhoto = { name: string; data: string }

export type Return = { returnId: number; returnNumber: string; orderId: number; state: "requested" | "labeled" | "shipped" | "received" | "accepted" | "refused" | "refunded" | "canceled"; reason: "wrong-size" | "changed-mind" | "damaged" | "wrong-item" | "late" | "short"; wants: "refund" | "exchange"; requestedAt: string; shipBy: string | null; canCancel: boolean; tires: ({ itemId: number; state: "requested" | "labeled" | "shipped" | "received" | "accepted" | "refused" | "refunded" | "canceled"; carrier: string | null; trackingNumber: string | null; receivedAt: string | null; refusal: string | null })[]; fee: "due" | "reordered" | "said-to-fit" | "our-mistake"; feeCents: number; refundCents: number; refundedCents: number; labels: string | null }

export type Review = { id: number; attributes: { dry: number | null; wet: number | null; winter: number | null; comfort: number | null; noise: number | null; treadwear: number | null }; overallHundredths: number; summary: string; comments: string; author: string; vehicle: string; milesDriven: number; drivingStyle: string; whereUsed: string; buyAgain: boolean; isVerified: boolean; isSample: boolean; helpfulCount: number; writtenOn: string }

export type UserPersonalization = { userLocation: { zip: string } | null; userLocationZip: string | null; gaClientId: string | null }

export type GarageVehicle = { id: string; key: string; name: string; mileage: number | null; mileageOn: string | null; rotatedMileage: number | null; rotatedOn: string | null; wantsReminder: boolean; nextRotation: { on: string; because: "months" | "miles" } | null }

export type SavedAddress = { id: string; firstName: string; lastName: string; company: string | null; address1: string; address2: string | null; city: string; state: string; zip: string; phone: { digits: string; extension: string | null }; phoneType: string }

export type Membership = { boughtAt: string; endsAt: string; priceCents: number; wantsReminders: boolean; isOver: boolean; canRenew: boolean; canGiveBack: boolean; offers: { deals: boolean; programs: boolean; payments: boolean }; renewal: { isOn: boolean; chargeAt: string; amountCents: number; card: string | null } | null }

export type Referrals = { link: string; referrals: ({ who: string | null; invitedAt: string | null; state: "invited" | "pending" | "earned" | "canceled"; dueAt: string | null })[]; pendingCents: number; earnedCents: number; creditCents: number }

export type Company = { status: "none" | "applied" | "approved" | "refused" | "closed"; name: string | null; offer: string | null; membership: { kind: "fleet" | "special-order"; role: "owner" | "buyer" | "viewer"; may: { manage: boolean; order: boolean; seeAllOrders: boolean }; poRule: PoRule; terms: PaymentTerms | null; brands: (string)[] | null } | null }

export type PoRule = { rule: "required" | "optional" | "off"; mask: string | null }

export type PaymentTerms = { netDays: number; limitCents: number; openCents: number; overdueCents: number; leftCents: number }

export type CompanyMember = { accountId: string; name: string | null; email: string | null; role: "owner" | "buyer" | "viewer"; joinedAt: string; isMe: boolean }

export type CompanyInvitation = { id: string; email: string; role: "owner" | "buyer" | "viewer"; expiresAt: string }

export type CompanyInvoice = { orderId: number; orderNumber: string; amountCents: number; netDays: number; issuedOn: string; dueOn: string; state: "open" | "paid" | "canceled"; isOverdue: boolean; poNumber: string | null; settledAt: string | null }

export type Webhook = { id: string; owner: "company" | "partner"; url: string; types: ("order.placed" | "order.canceled" | "shipment.shipped" | "shipment.delivered" | "appointment.booked" | "appointment.moved" | "appointment.canceled" | "return.requested" | "return.received" | "return.refunded")[]; isPaused: boolean; pausedBecause: "owner" | "failing" | "gone" | null; createdAt: string; isSecretShown: boolean; bothSecretsUntil: string | null }

export type WebhookDelivery = { id: number; eventId: string; type: "order.placed" | "order.canceled" | "shipment.shipped" | "shipment.delivered" | "appointment.booked" | "appointment.moved" | "appointment.canceled" | "return.requested" | "return.received" | "return.refunded" | "webhook.test"; at: string; state: "waiting" | "delivered" | "dead"; attempts: number; status: number | null; result: string; triedAt: string | null; nextAt: string | null }

export type WebhookEvent = { id: string; type: "order.placed" | "order.canceled" | "shipment.shipped" | "shipment.delivered" | "appointment.booked" | "appointment.moved" | "appointment.canceled" | "return.requested" | "return.received" | "return.refunded" | "webhook.test"; timestamp: string; data: CompanyEventData | PartnerEventData | Record<string, never> }

export type CompanyEventData = { order: Order; trackingNumber: string | null; appointment: { kind: "wait" | "drop-off" | "mobile"; state: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; code: string | null } | null; return: Return | null }

export type PartnerEventData = { order: { id: string; placedAt: string; isCanceled: boolean; tireCents: number; commissionCents: number } }

/** By method and path. */
export type Operations = {
  /** Search */
  'GET /search': { input: { query: { q: string }; headers?: Record<string, string> }; data: { place: FoundPlace | null; suggestions: (Suggestion)[]; meant: Suggestion | null } }
  /** Suggest searches */
  'GET /search/suggestions': { input: { query: { q: string }; headers?: Record<string, string> }; data: (Suggestion)[] }
  /** List sizes in stock */
  'GET /sizes': { input: { query?: { rim?: number | undefined }; headers?: Record<string, string> }; data: ({ slug: string; designation: string; kind: string; rimIn: number; sectionWidthMm: number; aspect: number })[] }
  /** List brands */
  'GET /brands': { input: { headers?: Record<string, string> }; data: ({ slug: string; name: string; tier: "value" | "mid" | "premium"; about: string; lines: number; reviews: number })[] }
  /** List a brand’s product lines */
  'GET /brands/{brand}/lines': { input: { params: { brand: string }; headers?: Record<string, string> }; data: ({ slug: string; name: string })[] }
  /** List tire types and categories */
  'GET /kinds': { input: { headers?: Record<string, string> }; data: { types: ({ slug: string; name: string; definition: string; typeSlug: string; lines: number; fromCents: number })[]; categories: ({ slug: string; name: string; definition: string; typeSlug: string; lines: number; fromCents: number })[] } }
  /** List current deals */
  'GET /deals': { input: { headers?: Record<string, string> }; data: ({ slug: string; headline: string; kind: string; startsAt: string; endsAt: string; offer: TireOffer | null })[] }
  /** List tires */
  'GET /tires': { input: { query?: { size?: string | undefined; rearSize?: string | undefined; brand?: string | undefined; type?: string | undefined; category?: string | undefined; rim?: number | undefined; vehicle?: string | undefined; zip?: string | undefined; verdict?: ("fits" | "fits_with_conditions" | "unknown" | "does_not_fit")[] | undefined; speed?: (string)[] | undefined; load?: (string)[] | undefined; range?: (string)[] | undefined; sidewall?: (string)[] | undefined; mark?: (string)[] | undefined; minDollars?: number | undefined; maxDollars?: number | undefined; by?: string | undefined; total?: "400" | "600" | "750" | "900" | "1200" | "1600" | undefined; rating?: "3" | "4" | "4.5" | "3.5" | undefined; score?: "7" | "8" | "9" | undefined; warranty?: "40000" | "50000" | "60000" | "70000" | "80000" | undefined; snow?: "1" | undefined; "mud-snow"?: "1" | undefined; ev?: "1" | undefined; "run-flat"?: "1" | undefined; deal?: "1" | undefined; stock?: "1" | undefined; sort?: "best" | "price" | "price-desc" | "rating" | "score" | "warranty" | undefined; limit?: "24" | "48" | "96" | undefined; cursor?: string | undefined }; headers?: Record<string, string> }; data: Listing }
  /** Recommend 5 tires */
  'GET /recommendations': { input: { query: { size?: string | undefined; rearSize?: string | undefined; vehicle?: string | undefined; zip?: string | undefined; weather: "dry" | "rain" | "snow" | "deep-snow"; roads: "city" | "highway" | "curves" | "unpaved"; priority: "quiet" | "grip" | "life" | "price"; miles: "few" | "usual" | "many" }; headers?: Record<string, string> }; data: ({ offer: TireOffer; reasons: (string)[] })[] }
  /** Get an item */
  'GET /tires/{itemId}': { input: { params: { itemId: number }; query?: { vehicle?: string | undefined; zip?: string | undefined }; headers?: Record<string, string> }; data: Product }
  /** Check fitment */
  'GET /fitment': { input: { query: { vehicle: string; item: number; rearItem?: number | undefined }; headers?: Record<string, string> }; data: Verdict }
  /** Price tires installed nearby */
  'GET /tires/{itemId}/installed': { input: { params: { itemId: number }; query: { zip: string; quantity?: number | undefined; rearItem?: number | undefined; shops?: number | undefined }; headers?: Record<string, string> }; data: ({ shop: { id: number; code: string; name: string; city: string; state: string; zip: string; timeZone: string; miles: number }; totalCents: number; rows: (PriceRow)[]; minutes: number; arrivesOn: string | null; openings: (Opening)[] })[] }
  /** Compare 2 to 5 tires */
  'GET /comparison': { input: { query: { tire: (string)[]; vehicle?: string | undefined; zip?: string | undefined }; headers?: Record<string, string> }; data: ({ offer: TireOffer; specs: ({ name: string; value: string; note: string | null })[] })[] }
  /** Find a vehicle by VIN */
  'POST /vehicles/by-vin': { input: { body: { vin: string }; headers?: Record<string, string> }; data: VehicleMatch }
  /** Find a vehicle by license plate */
  'POST /vehicles/by-plate': { input: { body: { plate: string; state: string }; headers?: Record<string, string> }; data: VehicleMatch }
  /** List years, makes, models and trims */
  'GET /vehicles': { input: { query?: { year?: number | undefined; make?: string | undefined; model?: string | undefined }; headers?: Record<string, string> }; data: { years: (number)[]; makes: ({ slug: string; name: string; hasSizes: boolean })[]; models: ({ slug: string; name: string; hasSizes: boolean })[]; trims: ({ slug: string; name: string; hasSizes: boolean })[] } }
  /** Get a vehicle with its trims and original sizes */
  'GET /vehicles/{year}/{make}/{model}': { input: { params: { year: number; make: string; model: string }; query?: { trim?: string | undefined; fitment?: number | undefined; confirmed?: "0" | "1" | undefined; labelFront?: string | undefined; labelRear?: string | undefined; allWheelDrive?: "0" | "1" | undefined }; headers?: Record<string, string> }; data: Vehicle }
  /** Look up a ZIP */
  'GET /places/{zip}': { input: { params: { zip: string }; headers?: Record<string, string> }; data: Place }
  /** List installers near a ZIP */
  'GET /shops': { input: { query: { zip: string; kind?: "shop" | "van" | undefined; limit?: number | undefined }; headers?: Record<string, string> }; data: (NearbyShop)[] }
  /** Get a shop */
  'GET /shops/{code}': { input: { params: { code: string }; headers?: Record<string, string> }; data: Shop }
  /** List a shop’s times for a service */
  'GET /shops/{code}/service-times': { input: { params: { code: string }; query: { service: string; units?: number | undefined }; headers?: Record<string, string> }; data: { shopId: number; service: string; units: number; priceCents: number; openings: (Opening)[] } }
  /** Get the cart */
  'GET /cart': { input: { headers?: Record<string, string> }; data: Cart }
  /** Create a cart */
  'POST /cart': { input: { body: { lines: ({ itemId: number; quantity: number; axle?: "all" | "front" | "rear" | undefined })[]; zip?: string | undefined; vehicle?: string | undefined; dealerCode?: string | undefined; installerId?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { key: string; cart: Cart } }
  /** Add items to a cart */
  'POST /cart/lines': { input: { body: { lines: ({ itemId: number; quantity: number; axle?: "all" | "front" | "rear" | undefined })[]; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** Update a line’s quantity */
  'PATCH /cart/lines/{itemId}/{axle}': { input: { params: { itemId: number; axle: "all" | "front" | "rear" }; body: { quantity: number; ssoUid?: string | undefined }; headers: { 'if-match': string; [name: string]: string } }; data: ChangedCart }
  /** Remove a line */
  'DELETE /cart/lines/{itemId}/{axle}': { input: { params: { itemId: number; axle: "all" | "front" | "rear" }; headers: { 'if-match': string; [name: string]: string } }; data: ChangedCart }
  /** Acknowledge current prices */
  'POST /cart/prices-accepted': { input: { headers?: Record<string, string> }; data: ChangedCart }
  /** Set the shopper’s ZIP */
  'PUT /cart/zip': { input: { body: { zip: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** Set the cart’s vehicle */
  'PUT /cart/vehicle': { input: { body: { vehicle: string | null; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** Enter a coupon or a referral code */
  'PUT /cart/coupon': { input: { body: { code: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** Remove the coupon */
  'DELETE /cart/coupon': { input: { headers?: Record<string, string> }; data: ChangedCart }
  /** Check the cart’s fitment */
  'GET /cart/verdict': { input: { headers?: Record<string, string> }; data: { vehicle: string; verdict: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; sets: ({ itemIds: (number)[]; verdict: "fits" | "fits_with_conditions" | "unknown" | "does_not_fit"; headline: string; lines: (string)[]; conditions: ({ code: string; text: string })[]; ruleBook: string })[] } | null }
  /** List parts that are sold with tires */
  'GET /parts': { input: { query?: { vehicle?: string | undefined }; headers?: Record<string, string> }; data: { parts: ({ sku: string; kind: string; kindName: string; name: string; facts: Record<string, string>; unitCents: number; maxQuantity: number; fit: "fits" | "does-not-fit" | "unknown"; fitText: string })[] } }
  /** Set how many of a part a cart has */
  'PUT /cart/parts/{sku}': { input: { params: { sku: string }; body: { quantity: number; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** List installers for the cart */
  'GET /cart/shops': { input: { query?: { kind?: "shop" | "van" | undefined }; headers?: Record<string, string> }; data: ({ shop: { id: number; code: string; name: string; city: string; state: string; zip: string; timeZone: string; miles: number }; totalCents: number; minutes: number; arrivesOn: string | null; openings: (Opening)[] })[] }
  /** List one shop’s times for the cart */
  'GET /cart/shops/{shopId}/times': { input: { params: { shopId: number }; headers?: Record<string, string> }; data: { timeZone: string; arrivesOn: string; minutes: number; days: ({ date: string; state: "free" | "full" | "too-soon" | "past" | "closed" | "holiday"; reason: string | null; times: ({ start: string; end: string; free: boolean })[]; dropOffs: ({ window: "AM" | "PM" | "EVE"; start: string; end: string; readyBy: string; free: boolean })[] })[] } }
  /** Get the held time */
  'GET /cart/hold': { input: { headers?: Record<string, string> }; data: Hold }
  /** Hold a time slot */
  'POST /cart/hold': { input: { body: { shopId: number; start?: string | undefined; date?: string | undefined; window?: "AM" | "PM" | "EVE" | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: Hold }
  /** Release the held time */
  'DELETE /cart/hold': { input: { headers?: Record<string, string> }; data: undefined }
  /** Extend the hold */
  'POST /cart/hold/extensions': { input: { headers?: Record<string, string> }; data: Hold }
  /** List carrier pickup locations */
  'GET /cart/pickup-locations': { input: { headers?: Record<string, string> }; data: ({ id: number; carrier: string; name: string; street: string; city: string; state: string; zip: string; hours: string; week: ({ weekday: number; opens: string; closes: string })[]; holdsDays: number; latitude: number; longitude: number; timeZone: string | null; miles: number })[] }
  /** List warehouses to pick up at */
  'GET /cart/pickup-warehouses': { input: { headers?: Record<string, string> }; data: ({ id: number; name: string; street: string; city: string; state: string; zip: string; hours: string; timeZone: string; miles: number; readyAt: string | null })[] }
  /** Choose fulfillment */
  'PUT /cart/delivery': { input: { body: { fulfillment: "shop" | "mobile" | "home" | "carrier-pickup" | "warehouse-pickup"; shopId?: number | undefined; carrierLocationId?: number | undefined; pickupWarehouseId?: number | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** Get contact and billing details */
  'GET /cart/details': { input: { headers?: Record<string, string> }; data: CheckoutDetails }
  /** Save contact details */
  'PUT /cart/contact': { input: { body: { firstName: string; lastName: string; company?: string | undefined; address1: string; address2?: string | undefined; city: string; state: string; zip: string; instructions?: string | undefined; email: string; phone: string; phoneType: "mobile" | "home" | "work"; vehicleNote?: string | undefined; keepAddress?: string | undefined; shipToShop?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: CheckoutDetails }
  /** Save billing details */
  'PUT /cart/billing': { input: { body: { sameAsShipping: "1"; poNumber?: string | undefined } | { sameAsShipping: "0"; billingName: string; billingAddress1: string; billingAddress2?: string | undefined; billingCity: string; billingState: string; billingZip: string; billingPhone: string; billingPhoneType: "mobile" | "home" | "work"; poNumber?: string | undefined }; headers?: Record<string, string> }; data: CheckoutDetails }
  /** Choose coverage and roadside assistance */
  'PUT /cart/services': { input: { body: { coverage: boolean; roadside: boolean; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** Price the cart */
  'GET /cart/price': { input: { headers?: Record<string, string> }; data: CartPrice }
  /** Create a checkout */
  'POST /checkouts': { input: { body: { lines?: ({ itemId: number; quantity: number; axle?: "all" | "front" | "rear" | undefined })[] | undefined; zip?: string | undefined; vehicle?: string | undefined; dealerCode?: string | undefined; installerId?: string | undefined; ssoUid?: string | undefined; service?: { shop: string; service: string; units?: number | undefined } | undefined; parts?: ({ sku: string; quantity: number })[] | undefined; delivery?: { fulfillment: "shop" | "mobile" | "home" | "carrier-pickup" | "warehouse-pickup"; shopId?: number | undefined; carrierLocationId?: number | undefined; pickupWarehouseId?: number | undefined; ssoUid?: string | undefined } | undefined; appointment?: { shopId: number; start?: string | undefined; date?: string | undefined; window?: "AM" | "PM" | "EVE" | undefined; ssoUid?: string | undefined } | undefined; contact?: { firstName: string; lastName: string; company?: string | undefined; address1: string; address2?: string | undefined; city: string; state: string; zip: string; instructions?: string | undefined; email: string; phone: string; phoneType: "mobile" | "home" | "work"; vehicleNote?: string | undefined; keepAddress?: string | undefined; shipToShop?: string | undefined; ssoUid?: string | undefined } | undefined; billing?: { sameAsShipping: "1"; poNumber?: string | undefined } | { sameAsShipping: "0"; billingName: string; billingAddress1: string; billingAddress2?: string | undefined; billingCity: string; billingState: string; billingZip: string; billingPhone: string; billingPhoneType: "mobile" | "home" | "work"; poNumber?: string | undefined } | undefined; services?: { coverage: boolean; roadside: boolean; ssoUid?: string | undefined } | undefined; coupon?: { code: string; ssoUid?: string | undefined } | undefined }; headers?: Record<string, string> }; data: { key: string; cart: Cart; hold: Hold | null; price: CartPrice; problems: ({ step: "parts" | "delivery" | "appointment" | "contact" | "billing" | "services" | "coupon"; code: string; message: string; data: unknown })[] } }
  /** Get the order request of a military exchange’s cart */
  'GET /cart/order-request': { input: { query: { orderId: string; costCenter?: string | undefined }; headers?: Record<string, string> }; data: { document: string; totalCents: number; taxCents: number } }
  /** List payment methods */
  'GET /payment-methods': { input: { headers?: Record<string, string> }; data: { methods: ({ type: string; name: string; detail: string })[]; provider: "sandbox" | "stripe"; publishableKey: string } }
  /** Get the payment’s status */
  'GET /cart/payment': { input: { headers?: Record<string, string> }; data: { by: "card" | "apple-pay" | "google-pay" | "paypal" | "venmo" | "klarna" | "affirm" | "afterpay" | "lease" | "loan" | "store-card" | "resolve" | "net-terms"; state: "pending" | "authorized" | "captured" | "voided" | "failed"; amountCents: number; isProcessing: boolean; message: string | null } | null }
  /** Create a payment */
  'POST /cart/payment': { input: { body: { flow: "fields" | "hosted" | "net-terms"; method?: "card" | "apple-pay" | "google-pay" | "paypal" | "venmo" | "klarna" | "affirm" | "afterpay" | "lease" | "loan" | "store-card" | "resolve" | undefined; returnPath?: string | undefined; cancelPath?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { amountCents: number; clientSecret: string | null; url: string | null; dueOn: string | null } }
  /** Cancel the payment */
  'DELETE /cart/payment': { input: { headers?: Record<string, string> }; data: undefined }
  /** List orders */
  'GET /orders': { input: { query?: { cursor?: string | undefined }; headers?: Record<string, string> }; data: { orders: ({ orderId: number; orderNumber: string; state: "needs-confirmation" | "confirmed" | "canceled" | "returned"; placedAt: string; cancelUntil: string; timeZone: string; totalCents: number; tires: (string)[]; shipments: ({ state: "processed" | "pending-pickup" | "in-transit" | "delivered" | "canceled" | "returned"; promisedOn: string })[]; shop: { name: string; timeZone: string } | null; installation: "none" | "booked" | "unbooked" | "missed" | "done"; appointment: { kind: "wait" | "drop-off" | "mobile"; state: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; code: string | null } | null })[]; next: string | null } }
  /** Place the order */
  'POST /orders': { input: { body: { agreedPrice: string; termsAccepted: boolean; conditionsAccepted?: boolean | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { orderId: number; orderNumber: string; isNew: boolean } }
  /** Count guest orders that can be claimed */
  'GET /orders/unclaimed': { input: { headers?: Record<string, string> }; data: { orders: number; isEmailVerified: boolean } }
  /** Claim guest orders */
  'POST /orders/claims': { input: { headers?: Record<string, string> }; data: { claimed: number } }
  /** Get an order */
  'GET /orders/{orderId}': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: Order }
  /** Cancel an order */
  'POST /orders/{orderId}/cancellation': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: Order }
  /** Confirm an order */
  'POST /orders/{orderId}/confirmation': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: Order }
  /** Track an order by number and ZIP */
  'POST /order-look-ups': { input: { body: { order: string; zip: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: OrderStatus }
  /** Retrieve a waitlist entry */
  'GET /orders/{orderId}/appointment/earlier-time': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: EarlierTime }
  /** Wait for an earlier time */
  'PUT /orders/{orderId}/appointment/earlier-time': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; body: { version: string; from: string; until: string; parts: ("morning" | "afternoon" | "evening")[]; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: EarlierTime }
  /** Leave the list for an earlier time */
  'DELETE /orders/{orderId}/appointment/earlier-time': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: EarlierTime }
  /** Take the earlier time that was offered */
  'POST /orders/{orderId}/appointment/earlier-time/{offerId}': { input: { params: { orderId: number; offerId: string }; query?: { key?: string | undefined; look?: string | undefined }; body: { version: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: OrderAppointment }
  /** List other shops for the installation */
  'GET /orders/{orderId}/installation/shops': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: { shops: (NextShop)[] } }
  /** Have the tires installed at another shop */
  'POST /orders/{orderId}/installation/shops/{shopId}': { input: { params: { orderId: number; shopId: number }; query?: { key?: string | undefined; look?: string | undefined }; body: { start?: string | undefined; date?: string | undefined; window?: "AM" | "PM" | "EVE" | undefined; agreedPrice: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { isDone: boolean; totalCents: number; payAt: string | null } }
  /** Get the appointment of an order */
  'GET /orders/{orderId}/appointment': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: OrderAppointment }
  /** List free times for an appointment */
  'GET /orders/{orderId}/appointment/times': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: { timeZone: string; openings: (Opening)[] } }
  /** Say that the shopper comes, comes late or does not come */
  'POST /orders/{orderId}/appointment/reply': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; body: { version: string; kind: "coming" | "late" | "not-coming"; minutesLate?: 10 | 20 | 30 | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: OrderAppointment }
  /** Move an appointment, or take a new time */
  'POST /orders/{orderId}/appointment/time': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; body: { version: string; start?: string | undefined; date?: string | undefined; window?: "AM" | "PM" | "EVE" | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: OrderAppointment }
  /** See what canceling the installation comes to */
  'GET /orders/{orderId}/installation/cancellation': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: { agreedPrice: string; beforeCents: number; afterCents: number; arrivesOn: string; rows: (PriceRow)[] } }
  /** Cancel the installation and keep the tires */
  'POST /orders/{orderId}/installation/cancellation': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; body: { agreedPrice: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { isDone: boolean; totalCents: number; payAt: string | null } }
  /** Email a code that opens an order */
  'POST /order-codes': { input: { body: { order: string; look: string; request?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: OrderCodeRequest }
  /** Open an order with an emailed code */
  'POST /order-codes/verification': { input: { body: { order: string; look: string; request: string; code: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: OpenedOrder }
  /** Return tires from an order */
  'POST /orders/{orderId}/returns': { input: { params: { orderId: number }; query?: { key?: string | undefined; look?: string | undefined }; body: { tires: ({ itemId: number; quantity: number })[]; reason: "wrong-size" | "changed-mind" | "damaged" | "wrong-item" | "late" | "short"; wants?: "refund" | "exchange" | undefined; unmounted: boolean; note?: string | undefined; photos?: (ReturnPhoto)[] | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: Return }
  /** Get a return */
  'GET /orders/{orderId}/returns/{returnId}': { input: { params: { orderId: number; returnId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: Return }
  /** Cancel a return */
  'POST /orders/{orderId}/returns/{returnId}/cancellation': { input: { params: { orderId: number; returnId: number }; query?: { key?: string | undefined; look?: string | undefined }; headers?: Record<string, string> }; data: Return }
  /** List a product line’s reviews */
  'GET /lines/{brand}/{line}/reviews': { input: { params: { brand: string; line: string }; query?: { sort?: "helpful" | "newest" | "highest" | "lowest" | undefined; stars?: number | undefined; vehicle?: string | undefined; cursor?: string | undefined }; headers?: Record<string, string> }; data: { line: { slug: string; name: string }; found: number; reviews: (Review)[]; next: string | null; vehicles: ({ model: string; reviews: number })[] } }
  /** Write a review */
  'POST /lines/{brand}/{line}/reviews': { input: { params: { brand: string; line: string }; body: { ratings: { dry?: number | undefined; wet?: number | undefined; winter?: number | undefined; comfort?: number | undefined; noise?: number | undefined; treadwear?: number | undefined }; summary: string; comments: string; name: string; email: string; purchasedOn: string; vehicle: string; milesDriven: string; drivingStyle: "Relaxed" | "Average" | "Spirited" | "Towing or hauling"; whereUsed: "Highway" | "City" | "Mixed" | "Country roads" | "Off road"; buyAgain: "yes" | "no"; orderNumber?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { reviewId: number; state: "published" | "waiting"; isVerified: boolean } }
  /** Vote on a review */
  'PUT /reviews/{reviewId}/vote': { input: { params: { reviewId: number }; body: { isHelpful: boolean; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { isHelpful: boolean } }
  /** Save the shopper’s location */
  'PUT /users/me/personalization': { input: { headers?: Record<string, string> } & ({ body: { userLocationZip?: string | undefined; gaClientId?: string | undefined; ssoUid?: string | undefined } } | { form: { userLocationZip?: string | undefined; gaClientId?: string | undefined; ssoUid?: string | undefined } }); data: UserPersonalization }
  /** List recent searches */
  'GET /users/me/history/search': { input: { headers?: Record<string, string> }; data: ({ label: string; path: string; searchedAt: string })[] }
  /** Save a search */
  'POST /users/me/history/search': { input: { headers?: Record<string, string> } & ({ body: { label: string; path: string; ssoUid?: string | undefined } } | { form: { label: string; path: string; ssoUid?: string | undefined } }); data: { label: string; path: string } }
  /** Clear recent searches */
  'DELETE /users/me/history/search': { input: { headers?: Record<string, string> }; data: undefined }
  /** Get the session */
  'GET /users/session': { input: { query?: { regionId?: string | undefined }; headers?: Record<string, string> }; data: { userSessionId: string; userPersonalization: UserPersonalization; regionId: string | null } }
  /** Sign out */
  'DELETE /users/session': { input: { headers?: Record<string, string> }; data: { url: string } }
  /** Get the sign-in ID */
  'GET /user-details': { input: { headers?: Record<string, string> }; data: { uid: string } }
  /** List sessions */
  'GET /users/me/sessions': { input: { headers?: Record<string, string> }; data: ({ id: string; browser: string | null; createdAt: string; lastSeenAt: string; isThis: boolean })[] }
  /** Sign out all other sessions */
  'DELETE /users/me/sessions': { input: { headers?: Record<string, string> }; data: { ended: number } }
  /** Revoke a session */
  'DELETE /users/me/sessions/{sessionId}': { input: { params: { sessionId: string }; headers?: Record<string, string> }; data: undefined }
  /** Export account data */
  'GET /users/me/data': { input: { headers?: Record<string, string> }; data: { account: Record<string, unknown>; signInServices: (unknown)[]; sessions: (unknown)[]; apps: (unknown)[]; accountTypes: (unknown)[]; company: Record<string, unknown> | null; zip: string | null; analyticsId: string | null; comparedTires: (string)[]; searches: (unknown)[]; vehicles: (unknown)[]; addresses: (unknown)[]; orders: (unknown)[]; memberships: (unknown)[]; referrals: Record<string, unknown>; brands: (string)[] | null; carts: (unknown)[]; ordersInFull: (unknown)[]; pastOrders: (unknown)[]; credit: (unknown)[]; referralLink: string | null; invitations: (unknown)[]; mails: (unknown)[]; questions: (unknown)[]; priceGuarantees: (unknown)[]; coverageClaims: (unknown)[]; tireRegistrations: (unknown)[]; signatures: (unknown)[]; tireRotations: (unknown)[]; shopRatings: (unknown)[]; quotes: (unknown)[]; sentQuotes: (unknown)[]; returns: (unknown)[]; agentCheckouts: (unknown)[]; texts: (unknown)[]; reviews: (unknown)[]; helpfulVotes: (unknown)[]; militaryVerification: (unknown)[]; partnerApplications: (unknown)[]; shopApplications: (unknown)[]; shops: (unknown)[]; staffRoles: (unknown)[]; savedCards: (unknown)[]; membershipRenewals: (unknown)[]; orderApprovals: (unknown)[] } }
  /** Delete the account */
  'DELETE /users/me': { input: { query: { sure: "yes" }; headers?: Record<string, string> }; data: { url: string } }
  /** List connected apps */
  'GET /users/me/apps': { input: { headers?: Record<string, string> }; data: ({ id: string; name: string; scopes: ("account:read" | "account:write" | "orders:read" | "orders:write" | "company:read" | "company:write" | "dev.ucp.shopping.cart:manage" | "dev.ucp.shopping.checkout:manage" | "dev.ucp.shopping.order:read")[]; firstUsedAt: string; lastUsedAt: string; revokedAt: string | null })[] }
  /** Restore an app’s access */
  'PUT /users/me/apps/{appId}/access': { input: { params: { appId: string }; headers?: Record<string, string> }; data: undefined }
  /** Revoke an app’s access */
  'DELETE /users/me/apps/{appId}/access': { input: { params: { appId: string }; headers?: Record<string, string> }; data: undefined }
  /** List saved vehicles */
  'GET /garage': { input: { headers?: Record<string, string> }; data: (GarageVehicle)[] }
  /** Save a vehicle */
  'POST /garage': { input: { body: { vehicle: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: (GarageVehicle)[] }
  /** Log mileage and rotation */
  'PUT /garage/{id}/readings': { input: { params: { id: string }; body: { mileage: number | null; rotatedOn: string | null; rotatedMileage: number | null; wantsReminder: boolean; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: GarageVehicle }
  /** Delete a saved vehicle */
  'DELETE /garage/{id}': { input: { params: { id: string }; headers?: Record<string, string> }; data: undefined }
  /** List saved addresses */
  'GET /addresses': { input: { headers?: Record<string, string> }; data: (SavedAddress)[] }
  /** Save an address */
  'POST /addresses': { input: { body: { firstName: string; lastName: string; company?: string | undefined; address1: string; address2?: string | undefined; city: string; state: string; zip: string; phone: string; phoneType: "mobile" | "home" | "work"; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { id: string } }
  /** Delete a saved address */
  'DELETE /addresses/{id}': { input: { params: { id: string }; headers?: Record<string, string> }; data: undefined }
  /** Get the membership */
  'GET /users/me/membership': { input: { headers?: Record<string, string> }; data: Membership | null }
  /** Start buying a membership */
  'POST /membership/payment': { input: { body: { flow: "fields" | "hosted"; returnPath?: string | undefined; cancelPath?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { amountCents: number; clientSecret: string | null; url: string | null } }
  /** Complete a membership purchase */
  'POST /membership': { input: { headers?: Record<string, string> }; data: { endsAt: string; isNew: boolean } }
  /** Refund an unused membership */
  'DELETE /membership': { input: { headers?: Record<string, string> }; data: undefined }
  /** Set membership reminders */
  'PUT /membership/reminders': { input: { body: { wantsReminders: boolean; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: Membership }
  /** Stop the renewal of the membership */
  'DELETE /membership/renewal': { input: { headers?: Record<string, string> }; data: undefined }
  /** Get the account’s price tier */
  'GET /users/me/terms': { input: { headers?: Record<string, string> }; data: { accountType: "EPP" | "Fleet" | "none" | "Partner Program" | "Retail" | "Retail Member" | "Sales Tool" | "Special Order" | "WholeSale"; priceLabel: string | null; isRestricted: boolean } }
  /** Get referrals and rewards */
  'GET /referrals': { input: { headers?: Record<string, string> }; data: Referrals }
  /** Send referral invitations */
  'POST /referrals/invitations': { input: { body: { emails: (string)[]; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { sent: number } }
  /** Get the military verification */
  'GET /users/me/military-verification': { input: { headers?: Record<string, string> }; data: { isOffered: boolean; verification: { group: string; verifiedAt: string; endsAt: string } | null } }
  /** Start a military verification */
  'POST /users/me/military-verification': { input: { body: { returnPath?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { url: string } }
  /** Remove the military verification */
  'DELETE /users/me/military-verification': { input: { headers?: Record<string, string> }; data: undefined }
  /** Apply to the partner program */
  'POST /partner-program/applications': { input: { body: { business: string; name: string; email: string; phone: string; people: number; site?: string | undefined; message?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { isReceived: true } }
  /** Join the partner program */
  'POST /partner-program/membership': { input: { body: { code: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { partner: string } }
  /** Join the employee program */
  'POST /employees/membership': { input: { headers?: Record<string, string> }; data: { employer: string } }
  /** Apply store credit */
  'PUT /cart/credit': { input: { body: { usesCredit: boolean; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: ChangedCart }
  /** Get the company */
  'GET /company': { input: { headers?: Record<string, string> }; data: Company }
  /** Apply for a company account */
  'POST /company/application': { input: { body: { kind: "fleet" | "special-order"; name: string; phone: string; vehicles: number; about?: string | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: Company }
  /** Set the company’s PO number rule */
  'PUT /company/po-rule': { input: { body: { rule: "required" | "optional" | "off"; mask?: string | null | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: PoRule }
  /** Join a company by email domain */
  'POST /company/membership': { input: { headers?: Record<string, string> }; data: Company }
  /** Leave the company */
  'DELETE /company/membership': { input: { headers?: Record<string, string> }; data: undefined }
  /** List company members and invitations */
  'GET /company/members': { input: { headers?: Record<string, string> }; data: { members: (CompanyMember)[]; invitations: (CompanyInvitation)[] | null } }
  /** Invite a member */
  'POST /company/invitations': { input: { body: { email: string; role: "owner" | "buyer" | "viewer"; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: (CompanyInvitation)[] }
  /** Withdraw an invitation */
  'DELETE /company/invitations/{invitationId}': { input: { params: { invitationId: string }; headers?: Record<string, string> }; data: undefined }
  /** Accept a company invitation */
  'POST /company/invitations/accepted': { input: { body: { key: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: Company }
  /** Change a member’s role */
  'PUT /company/members/{accountId}/role': { input: { params: { accountId: string }; body: { role: "owner" | "buyer" | "viewer"; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: (CompanyMember)[] }
  /** Remove a member */
  'DELETE /company/members/{accountId}': { input: { params: { accountId: string }; headers?: Record<string, string> }; data: undefined }
  /** List company orders */
  'GET /company/orders': { input: { query?: { cursor?: string | undefined }; headers?: Record<string, string> }; data: { orders: ({ orderId: number; orderNumber: string; state: "needs-confirmation" | "confirmed" | "canceled" | "returned"; placedAt: string; cancelUntil: string; timeZone: string; totalCents: number; tires: (string)[]; shipments: ({ state: "processed" | "pending-pickup" | "in-transit" | "delivered" | "canceled" | "returned"; promisedOn: string })[]; shop: { name: string; timeZone: string } | null; installation: "none" | "booked" | "unbooked" | "missed" | "done"; appointment: { kind: "wait" | "drop-off" | "mobile"; state: string; start: string; end: string; window: "AM" | "PM" | "EVE" | null; code: string | null } | null; poNumber: string | null; placedBy: string | null })[]; next: string | null } }
  /** List company invoices */
  'GET /company/invoices': { input: { query?: { cursor?: string | undefined }; headers?: Record<string, string> }; data: { invoices: (CompanyInvoice)[]; next: string | null } }
  /** List tax exemption certificates */
  'GET /company/exemptions': { input: { headers?: Record<string, string> }; data: ({ id: string; state: string; number: string; expiresOn: string; status: "waiting" | "accepted" | "refused" })[] }
  /** List webhooks */
  'GET /webhooks': { input: { headers?: Record<string, string> }; data: (Webhook)[] }
  /** Add a webhook */
  'POST /webhooks': { input: { body: { owner: "company" | "partner"; url: string; types: ("order.placed" | "order.canceled" | "shipment.shipped" | "shipment.delivered" | "appointment.booked" | "appointment.moved" | "appointment.canceled" | "return.requested" | "return.received" | "return.refunded")[]; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: Webhook }
  /** Get the secret, once */
  'POST /webhooks/{webhookId}/secret': { input: { params: { webhookId: string }; headers?: Record<string, string> }; data: { secret: string } }
  /** Rotate the secret */
  'POST /webhooks/{webhookId}/secret/rotation': { input: { params: { webhookId: string }; headers?: Record<string, string> }; data: Webhook }
  /** Send a test event */
  'POST /webhooks/{webhookId}/test': { input: { params: { webhookId: string }; headers?: Record<string, string> }; data: undefined }
  /** List deliveries of a webhook */
  'GET /webhooks/{webhookId}/deliveries': { input: { params: { webhookId: string }; query?: { cursor?: string | undefined }; headers?: Record<string, string> }; data: { deliveries: (WebhookDelivery)[]; next: string | null } }
  /** Send dead letters again */
  'POST /webhooks/{webhookId}/replays': { input: { params: { webhookId: string }; body: { deliveryId: number | null; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { count: number } }
  /** Change, pause or resume a webhook */
  'PATCH /webhooks/{webhookId}': { input: { params: { webhookId: string }; body: { url?: string | undefined; types?: ("order.placed" | "order.canceled" | "shipment.shipped" | "shipment.delivered" | "appointment.booked" | "appointment.moved" | "appointment.canceled" | "return.requested" | "return.received" | "return.refunded")[] | undefined; isPaused?: boolean | undefined; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: Webhook }
  /** Remove a webhook */
  'DELETE /webhooks/{webhookId}': { input: { params: { webhookId: string }; headers?: Record<string, string> }; data: undefined }
  /** Contact support */
  'POST /contact-requests': { input: { body: { firstName: string; lastName: string; email: string; phone: string; orderNumber?: string | undefined; subject: "An order I placed" | "Does it fit?" | "Installation or appointment" | "A return or refund" | "Coverage or roadside" | "Price guarantee" | "A program or partnership" | "My data" | "Something else"; message: string; ssoUid?: string | undefined }; headers?: Record<string, string> }; data: { isReceived: true } }
  /** Request a quote */
  'POST /leads': { input: { body: { name: string; email: string; quantity: number; vehicle?: string | undefined; size?: string | undefined; brand?: string | undefined }; headers?: Record<string, string> }; data: { isReceived: true } }
}
