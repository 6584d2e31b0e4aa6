/** The bulk action that prints orders' packing slips. */
import { maxOrdersPrinted } from '#app/office/record-files.server.ts'
import { listSlips } from '#app/views/office/parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import { counted, type BulkFile } from './act.server.ts'
import { readOrderRow } from './order-row.server.ts'

function whyNoSlips(hidden: number): string {
  return hidden > 0 ? 'Your role can’t see where its parcels ship.' : 'It has no parcels.'
}

/** One PDF with a page for each parcel. */
export const printPackingSlips: BulkFile = {
  permission: 'parcels.read',
  title: 'Print packing slips',
  label: 'Print packing slips',
  button: counted('Print the packing slips of', 'order'),
  effect: 'Printed.',
  readRow: (reader, id) =>
    readOrderRow(reader, id, async (order) => {
      const { slips, hidden } = await listSlips(reader.app, order, reader.session.roles)
      return {
        whyNot: slips.length > 0 ? null : whyNoSlips(hidden),
        effect: `Prints ${countOf(slips.length, 'page')}.`,
      }
    }),
  file: { path: officePaths.officeOrderSlips(), field: 'orders' },
  limit: {
    rows: maxOrdersPrinted,
    message: `A file has up to ${countOf(maxOrdersPrinted, 'order')}. Print this one in the next file.`,
  },
}
