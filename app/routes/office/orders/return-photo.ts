import { openFile } from '#app/office/open-file.server.ts'
import { returnPhotoFile } from '#app/office/record-files.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/return-photo.ts'

/** Returns an image of a returned tire. Staff only. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, returnPhotoFile, { path: officePaths.officeReturn(orderIdOf(params.id)), asked: params })
