/** The contact of a quote for the checkout, from what the customer gave by phone. */
import type { z } from 'zod'
import { addressFingerprint, readDetails, saveContact } from '#domain/ordering/checkout/checkout.server.ts'
import { contactForm, type Contact } from '#domain/supply/contact-forms/contact-forms.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import type { Quote } from '#domain/ordering/quotes/quotes.server.ts'
import type { Application } from '#application'

type Given = Pick<Quote, 'name' | 'email' | 'phone' | 'zip' | 'address' | 'note'> & { vehicle: string | null }

/** The quote form's field for each contact field with a different name. */
const quoteFields: Readonly<Record<string, string>> = { firstName: 'name', lastName: 'name' }

/**
 * Checks the contact of a quote with an address by the rules of the checkout. Returns it, or the message for each
 * field of the quote's form; null for a quote without an address.
 */
export function readQuoteContact(
  quote: Given,
): { ok: true; contact: Contact } | { ok: false; errors: Record<string, string> } | null {
  if (!quote.address) return null
  const [firstName = '', ...others] = quote.name.trim().split(/\s+/)
  const typed: Record<keyof z.input<typeof contactForm>, string> = {
    firstName,
    lastName: others.join(' '),
    company: '',
    address1: quote.address.address1,
    address2: quote.address.address2 ?? '',
    city: quote.address.city,
    state: quote.address.state,
    zip: quote.zip ?? '',
    instructions: '',
    email: quote.email,
    phone: quote.phone ?? '',
    phoneType: 'mobile',
    vehicleNote: quote.vehicle?.slice(0, 80) ?? '',
  }
  const checked = contactForm.safeParse(typed)
  if (checked.success) return { ok: true, contact: checked.data }
  const errors: Record<string, string> = {}
  for (const { path, message } of checked.error.issues) {
    const field = String(path[0] ?? '')
    errors[quoteFields[field] ?? field] ??= message
  }
  return { ok: false, errors }
}

/**
 * Fills in the customer's contact for the first visitor who opens the link (`isFirst`), and for their other vehicles.
 * Later visitors don't see the address. Doesn't change an entered contact. `browserCartId` is the browser's cart before
 * this one. Returns whether the cart has a contact. Otherwise the shopper enters it.
 */
export async function giveContact(
  app: Application,
  cartId: string,
  quote: Quote,
  { isFirst, browserCartId }: { isFirst: boolean; browserCartId: string | undefined },
): Promise<boolean> {
  const [cart, { contact: entered }] = await Promise.all([readCart(app, cartId), readDetails(app, cartId)])
  if (entered || !cart) return entered !== null
  const given = readQuoteContact({ ...quote, vehicle: quote.vehicle?.name ?? null })
  if (!given?.ok) return false
  // This browser has the address in the cart of another vehicle.
  const known = browserCartId === undefined || isFirst ? null : (await readDetails(app, browserCartId)).contact
  if (!isFirst && !(known && addressFingerprint(known) === addressFingerprint(given.contact))) return false
  const key = addressFingerprint(given.contact)
  return (await saveContact(app, cart, given.contact, { address: key, shop: key })).ok
}
