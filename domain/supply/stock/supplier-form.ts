/** The form of a supplier. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { dollars, emptyOr } from '#platform/form-fields.ts'
import { rateOf } from '#platform/money.ts'
import { loginSecret, sftpLogin } from '#platform/sftp-login.ts'

const maxDays = 180

const days = (message: string) =>
  z
    .string(message)
    .trim()
    .regex(/^\d{1,3}$/, message)
    .transform(Number)
    .pipe(z.int(message).max(maxDays, message))

const discountMessage = 'Enter a percentage from 0 to 99.9999, such as 12.5.'
const identityMessage = 'Enter up to 40 letters, digits, dots, dashes and underscores.'
const urlMessage = 'Enter an address that begins with https://'

const identity = emptyOr(z.string().regex(/^[A-Za-z0-9._-]{1,40}$/, identityMessage))

/**
 * A supplier as it is typed. The supplier's own cXML system requires an address, the identity of both sides, and a
 * secret, and its EDI server also a user name and a fingerprint. Otherwise all of them are empty. If a secret or key is
 * stored, an empty field doesn't change it (`changeSupplier`).
 */
export const supplierForm = z
  .object({
    code: z
      .string('Enter a code.')
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{2,10}$/, 'Enter a code of 2 to 10 letters and digits.'),
    name: z
      .string('Enter the name.')
      .trim()
      .min(1, 'Enter the name.')
      .max(80, `Enter a name of at most ${countOf(80, 'character')}.`),
    accountNumber: emptyOr(z.string().regex(/^[^<>\p{Cc}]{1,40}$/u, 'Enter an account number of up to 40 characters.')),
    leadDays: days('Enter 0 to 180 days.').describe('Days from a stock order to its delivery'),
    discount: z
      .string(discountMessage)
      .trim()
      .transform((text) => text || '0')
      .pipe(z.string().regex(/^\d{1,2}(?:\.\d{1,4})?$/, discountMessage))
      .transform((text) => Math.round(Number(text) * 10_000))
      .default(0)
      .describe('Percent off the catalog’s cost, such as 12.5'),
    freight: emptyOr(dollars('Enter an amount of up to 500 dollars, such as 4.50.', 50_000)).describe(
      'Freight that the supplier charges for each tire that it ships',
    ),
    minimumOrder: emptyOr(dollars('Enter an amount in dollars, such as 500.', 99_999_999)),
    paymentDays: days('Enter 0 to 180 days.').describe('Days until payment is due'),
    networkId: identity.describe('The supplier’s identity in cXML and EDI'),
    cxmlUrl: emptyOr(
      z
        .string()
        .max(300, `Please keep this under ${countOf(300, 'character')}.`)
        .refine((url) => /^https:\/\/[^\s]+$/i.test(url) && URL.canParse(url), urlMessage),
    ),
    cxmlIdentity: identity.describe('The store’s cXML identity at the supplier'),
    cxmlSecret: emptyOr(
      z
        .string()
        .min(12, 'Enter a secret of at least 12 characters.')
        .max(200, 'Please keep this under 200 characters.'),
    ),
    ediUrl: emptyOr(
      z
        .string()
        .max(300, `Please keep this under ${countOf(300, 'character')}.`)
        .refine(
          (url) => /^sftp:\/\/[^\s]+$/.test(url) && URL.canParse(url),
          'Enter an address that begins with sftp://',
        ),
    ).describe('The folder on the supplier’s SFTP server, with the folders in and out'),
    ediIdentity: emptyOr(
      z.string().regex(/^[A-Za-z0-9._-]{1,15}$/, 'Enter up to 15 letters, digits, dots, dashes and underscores.'),
    ).describe('The store’s interchange ID at the supplier'),
    ediUsername: sftpLogin.username,
    ediPassword: sftpLogin.password,
    ediPrivateKey: sftpLogin.privateKey,
    ediHostKey: sftpLogin.hostKey,
    availabilityUrl: emptyOr(
      z
        .string()
        .max(300, `Please keep this under ${countOf(300, 'character')}.`)
        .refine(URL.canParse, urlMessage),
    ).describe('The address of the supplier’s availability service'),
    availabilityKey: emptyOr(
      z
        .string()
        .regex(/^[\x21-\x7e]+$/, 'Enter the key without spaces.')
        .max(200, 'Please keep this under 200 characters.'),
    ).describe('The key for the availability service'),
    version: z.coerce.number().int().min(0).max(2_000_000_000).default(0),
  })
  .superRefine((typed, issues) => {
    const { cxmlUrl, cxmlIdentity, cxmlSecret, networkId, availabilityUrl, availabilityKey } = typed
    const fault = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
    if (availabilityUrl === null && availabilityKey !== null)
      fault('availabilityUrl', 'Enter the address of the availability service.')
    for (const [path, message] of ediFaults(typed)) fault(path, message)
    if (cxmlUrl === null) {
      if (cxmlIdentity !== null || cxmlSecret !== null) fault('cxmlUrl', 'Enter the address of the supplier’s system.')
      return
    }
    if (cxmlIdentity === null) fault('cxmlIdentity', 'Enter your identity at the supplier.')
    if (networkId === null) fault('networkId', 'Enter the supplier’s identity.')
  })
  .transform(({ discount, freight, minimumOrder, ediPassword, ediPrivateKey, ...typed }) => ({
    ...typed,
    ediSecret: loginSecret(ediPassword, ediPrivateKey),
    discountPpm: discount,
    freightCents: freight ?? 0,
    minimumOrderCents: minimumOrder,
  }))

export type SupplierDraft = z.output<typeof supplierForm>

type TypedEdi = {
  cxmlUrl: string | null
  networkId: string | null
  ediUrl: string | null
  ediIdentity: string | null
  ediUsername: string | null
  ediPassword: string | null
  ediPrivateKey: string | null
  ediHostKey: string | null
}

/** Missing or contradicting fields of an EDI server, with the message for each. */
function ediFaults(typed: TypedEdi): [string, string][] {
  const { cxmlUrl, networkId, ediUrl, ediIdentity, ediUsername, ediPassword, ediPrivateKey, ediHostKey } = typed
  const rest = [ediIdentity, ediUsername, ediPassword, ediPrivateKey, ediHostKey]
  if (ediUrl === null)
    return rest.some((value) => value !== null) ? [['ediUrl', 'Enter the address of the SFTP server.']] : []
  const faults: [string, string, boolean][] = [
    ['ediUrl', 'Orders go to one system. Remove the cXML address first.', cxmlUrl !== null],
    ['networkId', 'Enter the supplier’s identity.', networkId === null],
    ['networkId', 'An EDI identity has at most 15 characters.', (networkId ?? '').length > 15],
    ['ediIdentity', 'Enter your identity at the supplier.', ediIdentity === null],
    ['ediUsername', 'Enter the user name.', ediUsername === null],
    ['ediHostKey', 'Enter the fingerprint of the server’s key.', ediHostKey === null],
    ['ediPrivateKey', 'Enter a password or a private key, not both.', ediPassword !== null && ediPrivateKey !== null],
  ]
  return faults.flatMap(([path, message, isWrong]): [string, string][] => (isWrong ? [[path, message]] : []))
}

/** What a supplier charges for a tire in cents, after its discount; rounded to the nearest cent. */
export function supplierCost(costCents: number, discountPpm: number): number {
  return costCents - rateOf(costCents, discountPpm)
}

/** The form that retires a supplier or takes it back. */
export const supplierVersionForm = z.object({ version: z.coerce.number().int().min(0).max(2_000_000_000).default(0) })
