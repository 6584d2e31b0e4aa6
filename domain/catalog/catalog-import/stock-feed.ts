import { z } from 'zod'
import { oneOf, optional, required, sku, whole, type Reader } from './cells.ts'
import { makeFeed, type Feed } from './feed.ts'

/** An older count is no longer meaningful. */
const oldestCount = { hours: 7 * 24 }
/** Allowed difference between clocks. */
const clockSkew = { minutes: 5 }

/** Units in warehouses. `countedAt` applies to counts without their own time; `warehouses` maps codes to ids. */
export function stockFeed({
  now,
  countedAt,
  warehouses,
}: {
  now: Temporal.Instant
  countedAt: Temporal.Instant
  warehouses: ReadonlyMap<string, number>
}): Feed {
  const cells = z.object({
    sku: required(sku),
    warehouse: required(oneOf([...warehouses.keys()])),
    on_hand: required(whole(0, 100_000, 'units')),
    as_of: optional(countTime(now), countedAt.toString()),
  })
  return makeFeed({
    table: 'import_stock',
    columns: Object.keys(cells.shape),
    required: ['sku', 'warehouse', 'on_hand'],
    staged: ['sku', 'warehouse_id', 'on_hand', 'as_of'],
    row: cells.transform(({ sku, warehouse, on_hand, as_of }) => ({
      sku,
      warehouse_id: warehouses.get(warehouse) ?? 0,
      on_hand,
      as_of,
    })),
    key: cells.pick({ sku: true }),
  })
}

function countTime(now: Temporal.Instant): Reader<string> {
  return {
    expected: 'a time with its zone within the last seven days, such as 2026-11-20T06:00:00Z',
    problem: 'is not a time within the last seven days',
    read(text) {
      const instant = instantOf(text)
      if (instant === undefined) return undefined
      const isOld = Temporal.Instant.compare(instant, now.subtract(oldestCount)) < 0
      const isAhead = Temporal.Instant.compare(instant, now.add(clockSkew)) > 0
      return isOld || isAhead ? undefined : instant.toString()
    },
  }
}

function instantOf(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}
