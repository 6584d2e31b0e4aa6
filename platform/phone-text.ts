/** Phone numbers in one format for pages, mails, receipts and calendars. */

const parts = /(\d{3})\D*(\d{3})\D*(\d{4})$/
/** As numbers abroad are stored. */
const abroad = /^\+(?!1\d{10}$)(\d{1,3})(\d{10})$/

/** "(312) 555-0142" for ten digits in any notation, "+44 2079460958" abroad; anything else is returned unchanged. */
export function phoneText(phone: string): string {
  if (abroad.test(phone)) return phone.replace(abroad, '+$1 $2')
  const [, area, exchange, line] = parts.exec(phone) ?? []
  return area ? `(${area}) ${exchange}-${line}` : phone
}

/** "+1-312-555-0142", as structured data has it. */
export function internationalPhone(phone: string): string {
  if (abroad.test(phone)) return phone.replace(abroad, '+$1-$2')
  const [, area, exchange, line] = parts.exec(phone) ?? []
  return area ? `+1-${area}-${exchange}-${line}` : phone
}
