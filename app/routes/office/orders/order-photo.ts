import { openFile } from '#app/office/open-file.server.ts'
import { jobPhotoFile } from '#app/office/record-files.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/order-photo.ts'

/** Sends a photo that a shop took of an order's job. */
export const loader = ({ context, params: { orderId, booking, kind } }: Route.LoaderArgs) =>
  openFile(context, jobPhotoFile, {
    path: officePaths.officeOrder(orderIdOf(orderId)),
    asked: { id: orderId, booking, kind },
  })
