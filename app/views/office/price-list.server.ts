/** What the office shows of the rules of a price list. */
import type { PriceListEntry, Preview } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'

/** The rule in the columns that an uploaded file has, so that an export can be uploaded again. */
export function fileRowOf({ scope, target, kind, ratePpm, amountCents, startsAt, endsAt }: PriceListEntry): string[] {
  return [
    scope,
    target,
    kind,
    ratePpm === null ? '' : String(ratePpm / 10_000),
    amountCents === null ? '' : (amountCents / 100).toFixed(2),
    dayOf(startsAt),
    endsAt ? dayOf(endsAt.subtract({ seconds: 1 })) : '',
  ]
}

function dayOf(at: Temporal.Instant): string {
  return at.toZonedDateTimeISO(storeZone).toPlainDate().toString()
}

/** A row of the table of entries. */
export function entryRow(entry: PriceListEntry) {
  const [scope = '', target = '', kind = '', percent = '', amount = '', starts = '', ends = ''] = fileRowOf(entry)
  return {
    id: String(entry.line),
    cells: { line: String(entry.line), scope, target, kind, percent, amount, starts, ends },
  }
}

/** The preview of a version, ready to show. */
export function previewView({ counts, changes, below, isMore }: Preview) {
  return {
    counts,
    changes: changes.map(({ scope, target, was, is }) => ({
      scope,
      target: target || 'every tire',
      was: was ?? 'none',
      is: is ?? 'none',
    })),
    below: below.map(({ sku, priceCents, mapCents, costCents }) => ({
      sku,
      price: formatCents(priceCents),
      map: mapCents === null ? 'none' : formatCents(mapCents),
      cost: costCents === null ? 'unknown' : formatCents(costCents),
    })),
    isMore,
  }
}
