/** US phone numbers in one format for pages, mails, receipts and calendars. */

const parts = /(\d{3})\D*(\d{3})\D*(\d{4})$/

/** "(312) 555-0142" for ten digits in any notation; anything else is returned unchanged. */
export function phoneText(phone: string): string {
  const [, area, exchange, line] = parts.exec(phone) ?? []
  return area ? `(${area}) ${exchange}-${line}` : phone
}

/** "+1-312-555-0142", as structured data has it. */
export function internationalPhone(phone: string): string {
  const [, area, exchange, line] = parts.exec(phone) ?? []
  return area ? `+1-${area}-${exchange}-${line}` : phone
}
