/** Staff settings and document names for companies' purchasing systems. Safe in the browser. */
import { z } from 'zod'
import { emailAddress, localPhoneNumber, zipCode } from '#domain/kernel/contact-fields/contact-fields.ts'
import { optionalText } from '#platform/form-fields.ts'

export const purchasingChannels = ['procurement', 'military-exchange'] as const
export type PurchasingChannel = (typeof purchasingChannels)[number]
export const channelNames: Readonly<Record<PurchasingChannel, string>> = {
  procurement: 'Company',
  'military-exchange': 'Military exchange',
}

/** How long the previous secret stays valid after a new one is issued. */
export const secretOverlapDays = 7
/** How long a visit's link can be opened, and how long the visit lasts. */
export const punchoutLinkMinutes = 15
export const punchoutHours = 8
/** How often a document is sent before it is left to staff. */
export const mostDocumentAttempts = 10

export type DocumentKind = 'confirmation' | 'rejection' | 'ship-notice' | 'invoice'
export const documentNames: Readonly<Record<DocumentKind, string>> = {
  confirmation: 'ConfirmationRequest',
  rejection: 'ConfirmationRequest, rejected',
  'ship-notice': 'ShipNoticeRequest',
  invoice: 'InvoiceDetailRequest',
}

/**
 * Returns the minutes until the next attempt. The delay starts at one minute and doubles each time, up to six hours.
 */
export function retryMinutes(attempts: number): number {
  return Math.min(2 ** Math.max(0, attempts - 1), 360)
}

function word(most: number, message: string) {
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(most, message)
    .regex(/^[^<>\p{Cc}]*$/u, message)
}

/** The purchasing system form for staff. Without a URL, no documents are sent. */
export const purchasingForm = z
  .object({
    channel: z.enum(purchasingChannels, 'Choose who buys.'),
    domain: word(60, 'Enter the domain of its From credential, such as DUNS or NetworkId.'),
    identity: word(100, 'Enter the identity of its From credential.'),
    url: optionalText(500).refine(
      (url) => url === null || URL.canParse(url),
      'Enter an address that begins with https://',
    ),
    secret: optionalText(200),
    billName: word(60, 'Enter who is billed, in at most 60 characters.'),
    billStreet: word(100, 'Enter a street.'),
    billCity: word(60, 'Enter a city.'),
    billState: z
      .string('Enter a state.')
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'Enter a state, such as IL.'),
    billZip: zipCode,
    phone: localPhoneNumber.transform(({ digits }) => digits),
    email: emailAddress,
  })
  .refine(({ url }) => url === null || /^https?:\/\//.test(url), {
    path: ['url'],
    message: 'Enter an address that begins with https://',
  })
export type PurchasingTerms = z.output<typeof purchasingForm>
