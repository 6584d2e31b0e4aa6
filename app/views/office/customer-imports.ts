/** Imported customer data on the customer's page. */
import type { ImportedDetails, PastOrder } from '#domain/customers/customers/customers.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { ConsentView } from './customer-consents.server.ts'

/** The imported address. Empty if the import had no address. */
export function importedAddress(of: ImportedDetails): { key: string; name: string; lines: string[] }[] {
  const { street, city, state, zip, importedAt } = of
  const place = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const lines = [street ?? '', place].filter((line) => line !== '')
  return lines.length === 0
    ? []
    : [{ key: `import ${importedAt.toString()}`, name: `Imported ${storeDateText(importedAt)}`, lines }]
}

/** The imported consent to marketing emails. Empty if the import recorded no consent. */
export function importedConsent({ consentedAt, importedAt }: ImportedDetails): ConsentView[] {
  if (consentedAt === null) return []
  const note = `Imported ${storeDateText(importedAt)}, agreed ${storeDateText(consentedAt)}`
  return [{ key: `import ${importedAt.toString()}`, label: 'Email: marketing', note, isOn: true }]
}

/** A table row for an imported order. */
export function pastOrderRow({ id, store, number, placedAt, lines, status, totalCents }: PastOrder) {
  return {
    id: String(id),
    number,
    placed: `${storeDateText(placedAt)}, ${store}`,
    lines: lines.map(({ sku, name, quantity, priceCents }, index) => ({
      key: String(index),
      text: [`${quantity} × ${name}`, sku, formatCents(priceCents)].filter(Boolean).join(', '),
    })),
    status: status.replace(/^./, (letter) => letter.toUpperCase()),
    total: formatCents(totalCents),
  }
}
