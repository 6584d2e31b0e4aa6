/** The place, vehicle, codes, and price that a cart and a checkout share. */
import { error, type Message } from '#ucp/answers.ts'
import { has, type UcpContext } from '#ucp/context.ts'
import { cartFitment, readVehicle, speaksFitment } from '#ucp/fitment.ts'
import type { CartInput } from '#ucp/input.ts'
import { lineViews } from '#ucp/lines.ts'
import { loyaltyView } from '#ucp/loyalty.ts'
import { capabilityNames, membershipClaim } from '#ucp/profile.ts'
import { appliedDiscounts, totalsOf, totalsOfTires } from '#ucp/totals.ts'
import { couponAttemptsMessage, couponMessages } from '#content/messages/coupons.ts'
import { problemText } from '#content/messages/cart.ts'
import { badZipMessage } from '#content/messages/places.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { updateCart } from '#domain/payments/cart/cart.server.ts'
import {
  quoteCart,
  readCartNews,
  readDetails,
  settleHold,
  type CartQuote,
  type CartVerdict,
} from '#domain/ordering/checkout/checkout.server.ts'
import { couponCode } from '#domain/catalog/coupons/coupons.ts'
import { couponCodeOf, enterCoupon, removeCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { parseZip } from '#domain/kernel/places/places.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'

/** Returns the submitted ZIP code if it's valid, and the errors. */
export async function readZip(
  { app }: UcpContext,
  {
    postal_code: sent,
    address_country: country,
  }: { postal_code?: string | undefined; address_country?: string | undefined },
  path: string,
): Promise<{ zip: string | null; messages: Message[] }> {
  if (country !== undefined && !/^(us|usa|united states)$/i.test(country))
    return {
      zip: null,
      messages: [error('country_not_served', 'The store serves only the United States.', 'recoverable', path)],
    }
  if (sent === undefined || sent === '') return { zip: null, messages: [] }
  const zip = parseZip(sent)
  const place = zip === undefined ? undefined : await findPlace(app.db, zip)
  return place
    ? { zip: place.zip, messages: [] }
    : { zip: null, messages: [error('postal_code_unknown', badZipMessage, 'recoverable', path)] }
}

/** Saves a request's place, vehicle, and code with the cart. Omitted values stay unchanged. */
export async function applyAbout(context: UcpContext, cart: Cart, input: CartInput): Promise<Message[]> {
  const { app } = context
  const { zip, messages } = await readZip(context, input.context ?? {}, '$.context.postal_code')
  if (zip !== null && zip !== cart.zip) await updateCart(app, cart.id, { zip })
  messages.push(...(await applyVehicle(context, cart, input)))
  if (input.discounts?.codes && has(context, capabilityNames.discount))
    messages.push(...(await applyCodes(context, cart, input.discounts.codes)))
  for (const claim of input.context?.eligibility ?? []) messages.push(...(await judgeClaim(context, claim)))
  return messages
}

/** A platform's claims about its buyer aren't proof, but a linked account is. */
async function judgeClaim({ app }: UcpContext, claim: string): Promise<Message[]> {
  const isMembership = claim === membershipClaim(app.config.web.origin)
  if (isMembership && (await app.buyer.priceTier()).accountType === 'Retail Member') return []
  const proof = isMembership ? 'the buyer links the account that has it.' : 'the buyer proves this in our checkout.'
  return [
    {
      type: 'warning',
      code: 'eligibility_not_accepted',
      content: `${claim.slice(0, 100)}: ${proof}`,
      path: '$.context.eligibility',
    },
  ]
}

async function applyVehicle(context: UcpContext, cart: Cart, { fitment }: CartInput): Promise<Message[]> {
  if (!fitment?.vehicle || !speaksFitment(context)) return []
  const known = await readVehicle(context, fitment)
  if (!known)
    return [
      error(
        'vehicle_not_found',
        'This vehicle is not known here. Send year, make and model as on the registration.',
        'recoverable',
        '$.fitment.vehicle',
      ),
    ]
  await updateCart(context.app, cart.id, { vehicle: known.chosen satisfies ChosenVehicle })
  await settleHold(context.app, { cartId: cart.id, heldBy: context.networkKey })
  return []
}

/** Our carts have one code, so the last valid code applies. */
async function applyCodes({ app, networkKey }: UcpContext, cart: Cart, codes: readonly string[]): Promise<Message[]> {
  const now = await couponCodeOf(app, cart)
  if (codes.length === 0) {
    if (now !== null) await removeCoupon(app, cart.id)
    return []
  }
  const messages: Message[] = []
  const [code, ...others] = codes
  for (const other of others)
    messages.push(codeWarning('discount_code_combination_disallowed', `${other}: an order takes one code.`))
  const parsed = couponCode.safeParse(code)
  if (!parsed.success) return [...messages, codeWarning('discount_code_invalid', `${code}: isn’t one of our codes.`)]
  if (now?.toUpperCase() === parsed.data.toUpperCase()) return messages
  const entered = await enterCoupon(app, { cartId: cart.id, code: parsed.data, from: networkKey })
  if (entered.ok) return messages
  if (entered.reason === 'too-many') return [...messages, codeWarning('discount_code_invalid', couponAttemptsMessage)]
  const reason = entered.reason === 'ended' ? 'discount_code_expired' : 'discount_code_invalid'
  return [...messages, codeWarning(reason, couponMessages[entered.reason](entered.detail))]
}

function codeWarning(code: string, content: string): Message {
  return { type: 'warning', code, content, path: '$.discounts.codes' }
}

export type Priced = {
  readonly quote: CartQuote
  readonly verdict: CartVerdict | undefined
  readonly messages: readonly Message[]
  /** The members that carts and checkouts share. */
  readonly body: Readonly<Record<string, unknown>>
}

/** Prices the cart and evaluates its fitment like our pages. */
export async function priceView(context: UcpContext, cart: Cart): Promise<Priced> {
  const { app } = context
  const { contact } = await readDetails(app, cart.id)
  const [quote, fitment, code] = await Promise.all([
    quoteCart(app, cart, contact),
    cartFitment(context, cart),
    couponCodeOf(app, cart),
  ])
  const loyalty = await loyaltyView(context, quote.breakdown)
  const problems = quote.problems.map((problem): Message => {
    const codes: Readonly<Record<string, string>> = {
      'no-zip': 'postal_code_required',
      'zip-not-found': 'postal_code_unknown',
      'out-of-stock': 'out_of_stock',
      'no-shop-nearby': 'no_shop_nearby',
    }
    return error(codes[problem.kind] ?? 'item_unavailable', problemText(problem), 'recoverable', pathOf(problem.kind))
  })
  const news = await readCartNews(app, cart, quote.breakdown)
  const notes = [...news.notes, ...quote.notes].map((content): Message => ({
    type: 'info',
    code: 'offer_note',
    content,
  }))
  return {
    quote,
    verdict: fitment?.verdict,
    messages: [...problems, ...notes, ...(loyalty?.messages ?? []), ...linkable(context)],
    body: {
      line_items: lineViews(context, cart),
      currency: 'USD',
      totals: quote.breakdown ? totalsOf(quote.breakdown) : totalsOfTires(cart),
      ...(has(context, capabilityNames.discount) && {
        discounts: {
          codes: code === null ? [] : [code],
          applied: quote.breakdown ? appliedDiscounts(quote.breakdown, code) : [],
        },
      }),
      ...(speaksFitment(context) && fitment && { fitment: fitment.view }),
      ...(loyalty && { loyalty: loyalty.loyalty }),
    },
  }
}

/** That linking an account may change the prices. */
function linkable(context: UcpContext): Message[] {
  if (context.account || !has(context, capabilityNames.linking)) return []
  return [
    { type: 'info', code: 'identity_optional', content: 'Buyers who link an account get its prices and membership.' },
  ]
}

function pathOf(kind: string): string {
  return kind === 'no-zip' || kind === 'zip-not-found' ? '$.context.postal_code' : '$.line_items'
}
