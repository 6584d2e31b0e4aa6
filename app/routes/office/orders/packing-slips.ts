import { openFile } from '#app/office/open-file.server.ts'
import { packingSlipsFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/packing-slips.ts'

/** Returns the packing slips of several orders as one PDF. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  openFile(context, packingSlipsFile, {
    path: officePaths.officeOrders(),
    asked: { orders: url.searchParams.get('orders') ?? '' },
  })
