/** Lines of an address to which no carrier brings tires. Safe in the browser. */
import type { HomeDeliveryRefusal } from './delivery.ts'

/** Each stands between spaces, in capitals, without punctuation: "P.O. Box #7" is " P O BOX 7 ". */
const postBoxes = [
  / P ?[O0] ?B(?:OX|X)?(?=[ \d])/,
  / POST(?:AL)?(?: OFFICE)? BOX(?=[ \d])/,
  / (?:P ?O|POST OFFICE) DRAWER /,
  / APARTADO(?: POSTAL)? \d/,
  / APDO \d/,
  / GENERAL DELIVERY /,
  // Only if there is nothing else: "RR 2 Box 7" is a mailbox at a road.
  /^ (?:LOCK |CALLER )?BOX [A-Z]?\d+ $/,
  /^ DRAWER [A-Z\d]{1,6} $/,
  /^ P ?O \d+ $/,
]

const militaryMail = [/ [AFD] ?P ?O (?:$|A[AEP] )/, / (?:PSC|CMR|UNIT) \d+ BOX \d+ /]

/** No line of a form is longer; what is longer is not read. */
const longest = 200

/**
 * Says why tires cannot go to an address with this line, in whichever field it stands and however it is spelled, or
 * undefined. Source of the forms: USPS Publication 28, sections 225, 238 and 28 (post office boxes, military addresses,
 * Puerto Rico).
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
