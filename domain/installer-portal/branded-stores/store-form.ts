/** The form in which a shop makes its own store. Safe in the browser. */
import { z } from 'zod'
import { storeColorFaults, storeColorFaultText } from './store-colors.ts'
import { hostNameOf, dealerCodeOf } from './visits.ts'

const dealerCodeMessage = 'Use 4 to 16 letters and digits, like HALSTED.'
const colorShape = /^#[0-9a-f]{6}$/
const colorMessage = 'Write the color as #7b1e28.'
const hostNameMessage = 'Enter a host name like tires.halsted.example, without https:// and path, or leave it empty.'

const color = z.string(colorMessage).trim().toLowerCase().regex(colorShape, colorMessage)

export const brandedStoreForm = z
  .object({
    name: z
      .string('Enter the name of your store.')
      .trim()
      .min(2, 'Enter the name of your store.')
      .max(40, 'Please keep this under 41 characters.'),
    tagline: z
      .string()
      .trim()
      .max(60, 'Please keep this under 61 characters.')
      .default('')
      .transform((text) => text || null),
    dealerCode: z.string(dealerCodeMessage).transform((text, issue) => {
      const code = dealerCodeOf(text)
      if (code !== undefined) return code
      issue.addIssue({ code: 'custom', message: dealerCodeMessage })
      return z.NEVER
    }),
    brandColor: color,
    accentColor: color,
    hostName: z
      .string()
      .max(200, hostNameMessage)
      .default('')
      .transform((text, issue) => {
        if (text.trim() === '') return null
        const host = hostNameOf(text)
        if (host !== undefined) return host
        issue.addIssue({ code: 'custom', message: hostNameMessage })
        return z.NEVER
      }),
    removeLogo: z.enum(['yes', '']).default(''),
    /** The version the form was made of; 0 for a store that is not there yet. */
    seen: z
      .string('Load the page again.')
      .regex(/^\d{1,9}$/, 'Load the page again.')
      .transform(Number),
  })
  .superRefine(({ brandColor, accentColor }, issue) => {
    if (!colorShape.test(brandColor) || !colorShape.test(accentColor)) return
    for (const fault of storeColorFaults({ brand: brandColor, accent: accentColor }))
      issue.addIssue({
        code: 'custom',
        path: [fault.color === 'brand' ? 'brandColor' : 'accentColor'],
        message: storeColorFaultText(fault),
      })
  })
export type BrandedStoreInput = z.output<typeof brandedStoreForm>
