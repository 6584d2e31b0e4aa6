import { openFile } from '#app/office/open-file.server.ts'
import { disputePhotoFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/pay-dispute-photo.ts'

/** Sends the photo that came with a shop's dispute. */
export const loader = ({ context, params: { shopCode, dispute } }: Route.LoaderArgs) =>
  openFile(context, disputePhotoFile, {
    path: officePaths.officeShopPay(shopCode),
    asked: { id: shopCode, dispute },
  })
