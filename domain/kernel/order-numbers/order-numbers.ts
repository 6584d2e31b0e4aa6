/** Order numbers as people see and type them. Safe in the browser. */

/** The order number as displayed and typed: "S-104001". */
export function orderNumber(id: number): string {
  return `S-${id}`
}

/** In characters; longer input is not parsed. */
const longestOrderNumber = 60

/** Parses an order number in any common form (`S-104001`, `s104001`, `104001`); undefined if invalid. */
export function parseOrderNumber(text: string): number | undefined {
  if (text.length > longestOrderNumber) return undefined
  const digits = /^s? ?-? ?(\d{1,15})$/i.exec(text.replaceAll(/\s+/g, ' ').trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
