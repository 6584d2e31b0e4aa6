/** The installation and net terms forms of a sent quote. */
import { openingValue } from '#app/forms/slot-value.ts'
import { readQuoteContact } from '#app/views/quote-contact.server.ts'
import { slotTextWithZone } from '#content/messages/times.ts'
import { readPhoneCart, type PhoneCart, readTermsOf } from '#domain/ordering/phone-orders/phone-orders.server.ts'
import type { Quote } from '#domain/ordering/quotes/quotes.server.ts'
import { holds } from '#domain/ordering/quotes/quotes.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

/** Returns the forms with which staff order a sent quote for its customer. Each is null if it doesn't apply. */
export async function phoneOrderView(app: Application, quote: Quote) {
  const isTakenOver = quote.accountId === null && quote.state === 'opened'
  if (isTakenOver || quote.sentAt === null || !holds(quote, app.clock.now())) return { installation: null, terms: null }
  const given = readQuoteContact({ ...quote, vehicle: quote.vehicle?.name ?? null })
  const cart = await readPhoneCart(app, quote, given?.ok ? given.contact : null)
  return { installation: installationView(quote, cart), terms: await termsView(app, quote, cart) }
}

/** `times` is null until the customer's cart is open. `state` describes the held or expired time. */
function installationView({ accountId }: Quote, cart: PhoneCart | undefined) {
  if (!cart) return { times: null, state: null }
  const times = cart.choices.flatMap(({ shop, totalCents, openings }) =>
    openings.map((opening) => {
      const slot = { start: opening.start, window: opening.kind === 'drop-off' ? opening.window : null }
      const label = `${shop.name}, ${slotTextWithZone(slot, shop.timeZone)}, ${formatCents(totalCents)}`
      return [`${shop.id} ${openingValue(opening)}`, label] as const
    }),
  )
  return { times, state: stateText(cart, accountId === null) }
}

function stateText({ chosen, shopName }: PhoneCart, isForCaller: boolean): string | null {
  if (!chosen) return null
  const { start, dropOff, timeZone, holdExpiresAt } = chosen.booking
  const time = `${slotTextWithZone({ start, window: dropOff?.window ?? null }, timeZone)} at ${shopName ?? 'a shop'}`
  if (chosen.status === 'held' && holdExpiresAt)
    return `${time} is held until ${timeText(holdExpiresAt, timeZone)}. The customer can pay from the link until then.${isForCaller ? ' Only the first person to open the link gets the time.' : ''}`
  return chosen.status === 'ended'
    ? `The hold on ${time} ended. The time is still free: hold it again.`
    : `The hold on ${time} ended, and the time is no longer free. Hold another time.`
}

/** Null if the company has no net terms, the quote has no address, or its installation has no held time. */
async function termsView(app: Application, quote: Quote, cart: PhoneCart | undefined) {
  if (quote.address === null) return null
  const isReady = (cart?.isInstalled ?? isInstallation(quote.fulfillment)) ? cart?.chosen?.status === 'held' : true
  const terms = isReady ? await readTermsOf(app, quote) : null
  const totalCents = (cart?.isInstalled ? cart.totalCents : quote.totalCents) ?? 0
  return terms && { left: formatCents(terms.leftCents), total: formatCents(totalCents), totalCents }
}
