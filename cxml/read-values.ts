/** Bounded amounts, quantities, times, and text in documents. */
import { z } from 'zod'
import { normalizeTyping } from '#platform/plain-text.ts'
import { stateCodeOf } from '#platform/us-states.ts'
import { childAt, childrenOf, type XmlElement } from '#platform/xml.ts'

/** A text that people read, without what would break out of a line. */
export function word(most: number) {
  return z
    .string()
    .transform((text) => normalizeTyping(text).replaceAll(/\s+/g, ' ').trim())
    .pipe(z.string().min(1).max(most))
}

/** An amount in whole cents: "12.5", "-3", "12.5000". */
export const cents = z
  .string()
  .trim()
  .regex(/^-?\d{1,8}(?:\.\d{1,2}0{0,6})?$/)
  .transform((text) => Math.round(Number(text) * 100))

/** Units, as a whole number: "4", "4.0". */
export const units = z
  .string()
  .trim()
  .regex(/^\d{1,4}(?:\.0{1,6})?$/)
  .transform(Number)
  .pipe(z.int().min(1).max(1_000))

/** Why a line is refused that counts anything but single tires; `unit` as the document has it. */
export function unitRefusal(where: string, unit: string | undefined): string {
  return `${where} counts in ${(unit ?? '').slice(0, 20)}. Order single tires with UnitOfMeasure EA.`
}

/** A state by its code or name, as its code. */
export const state = z.string().transform((text, context) => {
  const code = stateCodeOf(text)
  if (code !== undefined) return code
  context.addIssue({ code: 'custom', message: 'no state' })
  return z.NEVER
})

export const lineNumber = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/)
  .transform(Number)
  .pipe(z.int().max(100_000))

/** An instant with its zone, as cXML writes it. */
export const instant = z
  .string()
  .trim()
  .max(40)
  .transform((text, context) => {
    try {
      return Temporal.Instant.from(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'no instant' })
      return z.NEVER
    }
  })

const money = z.object({ currency: z.literal('USD'), amount: cents })

/** Returns an element's Money in cents, or undefined if it isn't in US dollars. */
export function centsIn(element: XmlElement | undefined): number | undefined {
  const found = childAt(element, 'Money')
  const read = money.safeParse({ currency: found?.attributes['currency'], amount: found?.text })
  return read.success ? read.data.amount : undefined
}

/** The text of an element at a path, trimmed; undefined if it is empty or not there. */
export function textAt(element: XmlElement | undefined, ...path: string[]): string | undefined {
  return childAt(element, ...path)?.text.trim() || undefined
}

/** The Extrinsics of some elements by name; the first of a name counts. */
export function extrinsicsOf(elements: readonly (XmlElement | undefined)[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { attributes, text } of elements.flatMap((element) => childrenOf(element, 'Extrinsic'))) {
    const name = attributes['name'] ?? ''
    if (!found.has(name) && text.trim() !== '') found.set(name, text.trim())
  }
  return found
}
