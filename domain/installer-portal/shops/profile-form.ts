/** The forms of a shop's profile. Safe in the browser. */
import { z } from 'zod'
import { emailField, personName } from '#domain/kernel/contact-fields/contact-fields.ts'
import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { installerAgreement } from '#domain/scheduling/installers/installers.ts'
import {
  otherServices,
  shopPhoneField,
  shopWebsiteField,
  tireServices,
} from '#domain/installer-portal/shop-applications/shop-applications.ts'
import { countOf } from '#platform/count-text.ts'
import { tickedNames } from '#platform/form-fields.ts'

const line = (noun: string, max: number) =>
  z
    .string(`Enter the ${noun}.`)
    .trim()
    .min(1, `Enter the ${noun}.`)
    .max(max, `Keep the ${noun} under ${countOf(max + 1, 'character')}.`)

const optionalEmail = z
  .string()
  .trim()
  .max(254, 'Enter an email address, or leave it empty.')
  .default('')
  .transform((text) => text || null)
  .pipe(emailField('Enter an email address, or leave it empty.').nullable())

const about = z
  .string()
  .trim()
  .max(1_000, 'Keep the description under 1,001 characters.')
  .default('')
  .transform((text) => text || null)

const maxAmenities = 12

/** "Waiting room, Wi-Fi" as a list. */
const amenities = z
  .string()
  .max(600, 'Keep the list of amenities under 601 characters.')
  .default('')
  .transform((text, issues) => {
    const named = [
      ...new Set(
        text
          .split(/[,\n]/)
          .map((each) => each.trim())
          .filter((each) => each !== ''),
      ),
    ]
    if (named.length <= maxAmenities && named.every((each) => each.length <= 40)) return named
    const message = `Enter at most ${maxAmenities} amenities of up to 40 characters, with commas between them.`
    issues.addIssue({ code: 'custom', message })
    return z.NEVER
  })

function amount(noun: string, [least, most]: readonly [number, number]) {
  const message = `Enter ${noun} from ${least} to ${most}.`
  return z
    .string(message)
    .transform((text, issues) => {
      const given = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
      if (given >= least && given <= most) return given
      issues.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ formUnit: 'number' })
}

const { rimMinIn, rimMaxIn, aspectMin } = installerAgreement
const kind = z.enum(['shop', 'van'], 'Choose a tire shop or a van.')
const version = z.coerce.number().int().min(0).max(2_000_000_000).default(0)

const serviceNames = [...Object.keys(tireServices), ...Object.keys(otherServices)]

const profileShape = z.object({
  name: line('name', 80),
  kind,
  street: contactForm.shape.address1,
  city: contactForm.shape.city,
  zip: contactForm.shape.zip,
  phone: shopPhoneField,
  email: optionalEmail,
  website: shopWebsiteField,
  about,
  amenities,
  services: tickedNames<string>('service', serviceNames),
  rimMinIn: amount('a rim', [rimMinIn, rimMaxIn]),
  rimMaxIn: amount('a rim', [rimMinIn, rimMaxIn]),
  aspectMin: amount('an aspect ratio', [aspectMin, 80]),
  receivingMinutes: amount('minutes', [0, 480]).describe('How long the shop takes to receive a delivery'),
  version,
})

/** Gathers the services that are ticked one by one: `service-alignment`. */
function gather(given: unknown) {
  const fields = given as Record<string, string | undefined>
  return { ...fields, services: serviceNames.filter((key) => fields[`service-${key}`] === '1') }
}

const rimsInOrder = (draft: { rimMinIn: number; rimMaxIn: number }) => draft.rimMinIn <= draft.rimMaxIn
const rimsMessage = { path: ['rimMaxIn'], message: 'The largest rim can’t be smaller than the smallest.' }

/** The profile of a shop or van as it is typed. Phones are returned as ten digits, emails in lowercase. */
export const profileForm = z.preprocess(gather, profileShape.refine(rimsInOrder, rimsMessage))
export type ProfileDraft = z.output<typeof profileForm>

/** A new shop or van with its owner, who is invited by email. */
export const newShopForm = z.object({
  name: line('name', 80),
  kind,
  street: contactForm.shape.address1,
  city: contactForm.shape.city,
  zip: contactForm.shape.zip,
  phone: shopPhoneField,
  website: shopWebsiteField,
  ownerName: personName('Enter the owner’s name.', 60),
  ownerEmail: emailField('Enter the owner’s email.'),
})
export type NewShopDraft = z.output<typeof newShopForm>

/** The answer to a new name or address. `seen` names the request that was shown; declining needs a reason. */
export const profileDecisionForm = z.object({
  seen: z.string().max(60).default(''),
  reason: z.string().trim().max(150, 'Keep the reason under 151 characters.').default(''),
})
