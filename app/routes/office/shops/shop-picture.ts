import { openFile } from '#app/office/open-file.server.ts'
import { shopPictureFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/shop-picture.ts'

/** Sends the picture that came with an application of a shop. */
export const loader = ({ context, params: { number } }: Route.LoaderArgs) =>
  openFile(context, shopPictureFile, { path: officePaths.officeShopApplication(number), asked: { id: number } })
