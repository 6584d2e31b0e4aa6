import { openFile } from '#app/office/open-file.server.ts'
import { orderSlipsFile } from '#app/office/record-files.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/order-packing-slips.ts'

/** Returns the packing slips of an order's packages as one PDF. */
export const loader = ({ context, params: { orderId } }: Route.LoaderArgs) =>
  openFile(context, orderSlipsFile, { path: officePaths.officeOrder(orderIdOf(orderId)), asked: { id: orderId } })
