import { requireShop } from '#app/server/portal.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { findJobPhoto } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { isJobPhotoKind } from '#domain/installer-portal/work-orders/work-orders.ts'
import type { Route } from './+types/job-photo.ts'

/** Sends a job photo to the shop's staff. */
export async function loader({
  context,
  params: { shopCode, booking: bookingId, kind },
}: Route.LoaderArgs): Promise<Response> {
  const { app, place } = await requireShop(context, 'jobs.work', {
    shopCode,
    path: portalPaths.job(shopCode, bookingId),
  })
  const isKnown = isJobPhotoKind(kind)
  return storedFile(
    app,
    isKnown ? await findJobPhoto(app, { shopId: place.shopId, bookingId, kind }) : undefined,
    'inline',
  )
}
