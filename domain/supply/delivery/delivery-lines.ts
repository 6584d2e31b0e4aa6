/** Lines of an address to which no carrier brings tires. Safe in the browser. */
import type { HomeDeliveryRefusal } from './delivery.ts'

/** Each is between spaces, in capitals, without punctuation, so "P.O. Box #7" is " P O BOX 7 ". */
const postBoxes = [
  / P ?[O0] ?B(?:OX|X)?(?=[ \d])/,
  / POST(?:AL)?(?: OFFICE)? BOX(?=[ \d])/,
  / (?:P ?O|POST OFFICE) DRAWER /,
  / APARTADO(?: POSTAL)? \d/,
  / APDO \d/,
  / GENERAL DELIVERY /,
  // Only if it is the whole line, because "RR 2 Box 7" is a mailbox on a road.
  /^ (?:LOCK |CALLER )?BOX [A-Z]?\d+ $/,
  /^ DRAWER [A-Z\d]{1,6} $/,
  /^ P ?O \d+ $/,
]

const militaryMail = [/ [AFD] ?P ?O (?:$|A[AEP] )/, / (?:PSC|CMR|UNIT) \d+ BOX \d+ /]

/** The maximum line length to parse; the rest is ignored. */
const longest = 200

/**
 * Returns why tires can't be delivered to an address with this line, in any field and spelling, or undefined. Forms are
 * from USPS Publication 28, sections 225, 238 and 28 (post office boxes, military addresses, Puerto Rico).
 */
export function refuseDeliveryLine(line: string): HomeDeliveryRefusal | undefined {
  const plain = ` ${line
    .slice(0, longest)
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
  if (militaryMail.some((form) => form.test(plain))) return 'military'
  return postBoxes.some((form) => form.test(plain)) ? 'po-box' : undefined
}
