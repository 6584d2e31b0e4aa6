/** The state of a warehouse in words. */
import { warehouseStateOf } from '#domain/supply/delivery/delivery.ts'
import { dayText } from '#platform/day-text.ts'

/** Returns the label and tone of a warehouse's state, such as "Closes Tue, Dec 1". */
export function warehouseState(of: Parameters<typeof warehouseStateOf>[0]): {
  label: string
  tone: 'go' | 'signal' | 'plain'
} {
  switch (warehouseStateOf(of)) {
    case 'scheduled':
      return { label: `Closes ${dayText(Temporal.PlainDate.from(of.closesOn ?? ''))}`, tone: 'signal' }
    case 'closing':
      return { label: 'Closing', tone: 'signal' }
    case 'closed':
      return { label: 'Closed', tone: 'plain' }
    case 'retired':
      return { label: 'Supplier retired', tone: 'plain' }
    case 'open':
      return { label: 'Active', tone: 'go' }
  }
}
