/** The tires that an email about an order names first, each with its picture. */
import { paths } from '#content/paths.ts'
import type { MailTire } from '#domain/messages/messages.ts'
import type { OrderView } from '#domain/orders/order-view.sql.server.ts'

/**
 * Returns the tires of an order that are not canceled; all of them for a canceled order. `units` narrows it to units by
 * line number, such as those of one shipment.
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
      .filter((line) => line.kind === 'tire' && left(line) > 0)
      .map((line) => ({
        name: line.description,
        quantity: left(line),
        pictureUrl: line.itemId === null ? null : origin + paths.mailPicture(line.itemId),
      })),
  }
}

/** How many units of each line are in `items`. */
export function unitsByLine(items: readonly { lineNo: number; quantity: number }[]): Map<number, number> {
  const units = new Map<number, number>()
  for (const { lineNo, quantity } of items) units.set(lineNo, (units.get(lineNo) ?? 0) + quantity)
  return units
}
