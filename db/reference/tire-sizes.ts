import { parseTireSize, sizeDesignation, type TireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'

/**
 * The one spelling of a size: "35X12.50R17" → "35X12.50R17LT". Throws on text that is not a size, which only an error
 * in our data can cause.
 */
export function canonicalSize(text: string): string {
  return sizeDesignation(sizeIn(text))
}

export function sizeIn(text: string): TireSize {
  const size = parseTireSize(text)
  if (size === undefined) throw new Error(`${text} is not a tire size`)
  return size
}
