/** The tires and parts that an email about an order names first, each with its picture. */
import { paths } from '#content/paths.ts'
import type { MailTire } from '#domain/messaging/messages/messages.ts'
import type { OrderView } from './order-view.sql.server.ts'

/**
 * Returns an order's active tires and parts, or all of a canceled order, or the service without tires. `units`
 * limits the result to units by line number, such as one shipment's.
 */
export function mailTires(
  origin: string,
  { lines, state }: Pick<OrderView, 'lines' | 'state'>,
  units?: ReadonlyMap<number, number>,
): { tires: MailTire[] } {
  const left = (line: OrderView['lines'][number]) =>
    units ? (units.get(line.lineNo) ?? 0) : line.quantity - (state === 'canceled' ? 0 : line.canceled)
  return {
    tires: lines
      .filter((line) => named.has(line.kind) && left(line) > 0)
      .map((line) => ({
        name: line.description,
        quantity: left(line),
        pictureUrl: line.itemId === null ? null : origin + paths.mailPicture(line.itemId),
      })),
  }
}

const named: ReadonlySet<string> = new Set(['tire', 'part', 'service'])

/** Counts each line's units in `items`. */
export function unitsByLine(items: readonly { lineNo: number; quantity: number }[]): Map<number, number> {
  const units = new Map<number, number>()
  for (const { lineNo, quantity } of items) units.set(lineNo, (units.get(lineNo) ?? 0) + quantity)
  return units
}
