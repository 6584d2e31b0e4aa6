/** The content of a device wallet's sheet, and the charge it pays. */
import type { RouterContextProvider } from 'react-router'
import { refuseCard, startCharge, type CardPayer } from '#app/routes/checkout/card-charge.server.ts'
import {
  destinationView,
  receiverView,
  remedyFor,
  verdictView,
  type DestinationView,
  type ReceiverView,
  type VerdictView,
} from '#app/routes/checkout/order-review.server.ts'
import { lineViews, serviceView, type ServiceView, type LineView } from '#app/views/checkout.server.ts'
import type { ExpressCheckoutSetup, WalletOrder } from '#app/ui/express-checkout.ts'
import { expressCheckoutSetup, findWallets } from '#app/views/express.server.ts'
import { paths } from '#content/paths.ts'
import type { Remedy } from '#content/messages/placing.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { isInstallation, type Fulfillment } from '#domain/supply/delivery/delivery.ts'
import { holdText } from '#domain/ordering/orders/orders.ts'
import {
  agreementKey,
  judgeCart,
  readDetails,
  saveBilling,
  type CartQuote,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import { billingForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { ruleOf, type WalletMethod } from '#domain/payments/payments/payments.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

/** What the wallets' buttons need. */
export type WalletsView = { setup: ExpressCheckoutSetup; order: WalletOrder; offered: WalletMethod[] }

/** What is reviewed on a wallet's own page, since there the order is placed with the sheet. */
export type WalletReview = {
  lines: LineView[]
  service: ServiceView | null
  verdict: VerdictView | null
  to: {
    where: DestinationView
    time: string | null
    arrivesBy: string | null
    vehicle: string | null
    tab: Fulfillment
  }
  who: ReceiverView
  /** `agreementKey` of the order as it is shown. */
  agreed: string
  remedy: (Remedy & { words: string }) | null
}

/** Returns the wallets allowed for this order. Returns null if no wallet is allowed. */
export async function readWallets(
  app: Application,
  { quote, money }: Pick<CardPayer, 'quote' | 'money'>,
): Promise<WalletsView | null> {
  const offered = await findWallets(app, money.totalCents)
  if (offered.length === 0 || money.problems.length > 0 || quote.basis !== 'chosen') return null
  return { setup: expressCheckoutSetup(app), order: walletOrder(quote), offered }
}

/** Returns the order review's rows for the sheet. Returns an empty array if they don't add up to the amount. */
export function walletOrder({ breakdown, creditCents, dueCents }: CartQuote): WalletOrder {
  const lines = (breakdown?.explain ?? [])
    .filter(({ kind, cents }) => kind !== 'total' && cents !== 0)
    .map(({ label, cents }) => ({ name: label, amountCents: cents }))
  if (creditCents > 0) lines.push({ name: 'Store credit', amountCents: -creditCents })
  const isWhole = lines.reduce((sum, { amountCents }) => sum + amountCents, 0) === dueCents
  return { amountCents: dueCents, lines: isWhole ? lines : [] }
}

/**
 * Returns the order review for the sheet, with the tires and fitment notes, the destination, and any problem that
 * blocks the order.
 */
export async function readWalletReview(
  app: Application,
  { cart, quote, money, contact }: Pick<CardPayer, 'cart' | 'quote' | 'money'> & { contact: SavedContact },
  method: WalletMethod,
): Promise<WalletReview> {
  const isInstalled = isInstallation(cart.fulfillment)
  const [hold, verdict, lines, service] = await Promise.all([
    isInstalled ? findChosenTime(app, cart.id) : undefined,
    judgeCart(app, cart),
    lineViews(app, cart, quote.breakdown),
    serviceView(app, cart),
  ])
  const payment = { by: 'charge' as const, method, card: null, authorizedCents: money.totalCents }
  return {
    lines,
    service,
    verdict: verdictView(verdict, lines),
    to: {
      where: destinationView(quote, contact),
      time: hold ? holdText(hold.booking) : null,
      arrivesBy: money.arrivesBy,
      vehicle: verdict?.vehicleName ?? contact.vehicleNote,
      tab: cart.fulfillment ?? 'shop',
    },
    who: receiverView(contact),
    agreed: agreementKey({ cart, contact, breakdown: quote.breakdown, time: hold?.booking ?? null }),
    remedy: remedyFor({ money, quote, verdict, hold, payment, isInstalled }),
  }
}

/**
 * Creates the sheet's charge, billed to the wallet's owner. Refuses with 409 if the sheet is out of date or the order
 * can't be placed. Doesn't authorize a charge in that case.
 */
export async function startWalletCharge(
  context: Readonly<RouterContextProvider>,
  payer: CardPayer & { contact: SavedContact },
  method: WalletMethod,
  fields: URLSearchParams,
) {
  const { app, cart, money, quote, contact } = payer
  const wallets = await readWallets(app, { quote, money })
  const { remedy } = await readWalletReview(app, { cart, quote, money, contact }, method)
  if (remedy) return refuseCard({ title: null, words: remedy.words }, 409)
  if (!wallets?.offered.includes(method))
    return refuseCard({ title: null, words: `${ruleOf(method)?.name} cannot pay this order. Choose another way.` }, 409)
  if (fields.get('amount') !== String(money.totalCents))
    return refuseCard(
      { title: null, words: `The total is ${formatCents(money.totalCents)} now. Check it, then pay again.` },
      409,
    )
  await billOwner(app, { cartId: cart.id, contact }, fields)
  return startCharge(context, payer, 'fields', paths.checkoutPayment(method), method)
}

/**
 * Sets the wallet owner's billing address. Falls back to the recipient's address if the wallet's address is
 * unsupported, such as a foreign address.
 */
async function billOwner(
  app: Application,
  { cartId, contact }: { cartId: string; contact: SavedContact },
  fields: URLSearchParams,
): Promise<void> {
  const { billing } = await readDetails(app, cartId)
  const poNumber = billing?.poNumber ?? ''
  const owner = billingForm.safeParse({
    sameAsShipping: '0',
    billingName: fields.get('name') ?? '',
    billingAddress1: fields.get('line1') ?? '',
    billingAddress2: fields.get('line2') ?? '',
    billingCity: fields.get('city') ?? '',
    billingState: fields.get('country') === 'US' ? (fields.get('state') ?? '') : '',
    billingZip: fields.get('postalCode') ?? '',
    billingPhone: fields.get('phone') || contact.phone.digits,
    billingPhoneType: contact.phoneType,
    poNumber,
  })
  const billed = owner.success ? owner.data : billingForm.parse({ sameAsShipping: '1', poNumber })
  await saveBilling(app, cartId, billed, contact)
}
