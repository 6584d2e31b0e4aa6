/** Jobs at a shop, from the parcels to the registered tires. */
export { finishJob, missingIn, saveJob, type Missing, type RecalledTire } from './finish-job.server.ts'
export { findJobOrders } from './find-jobs.sql.server.ts'
export { listFleetVisits, missingInVisit, readFleetVisit, visitVin, type FleetVisit } from './fleet-history.server.ts'
export {
  listInstalledSets,
  listInstalledSetsOf,
  readInstalledSet,
  type InstalledSet,
} from './installed-tires.server.ts'
export { readJob, type Job } from './job.server.ts'
export { findJobPhoto, saveJobPhoto } from './job-photos.server.ts'
export { eraseJobPhotos, forgetOldJobPhotos, selectPhotosOfOrder } from './job-photos.sql.server.ts'
export { isShopStopped, selectRefusal, selectRefusers } from './refusals.sql.server.ts'
export { jobMessageValues, lateMessageValues, shopLateText } from './job-messages.server.ts'
export { notifyDelay } from './notify-delay.server.ts'
export { haveTiresLeft, markNoShow, moveJob, noShowFrom, refuseForShop } from './move-job.server.ts'
export { countPiece, reportPieces } from './pieces.server.ts'
export { listStoredSets, returnSet, saveSetPlace, type StoredSetRefusal } from './stored-sets.server.ts'
export {
  answerShopReport,
  closeShopReport,
  findReportPhoto,
  findShopReport,
  listOpenShopReports,
  listShopReports,
} from './shop-reports.server.ts'
export { forgetOldReportPhotos, type ShopReport } from './shop-reports.sql.server.ts'
export {
  answerRecall,
  closeRecall,
  discardRecall,
  draftRecall,
  extendRecall,
  listRecalls,
  openRecall,
  readRecall,
  readRecallsOfOrder,
  recallMessageValues,
  type RecallPage,
  tellOfRecall,
  watchRecalls,
} from './recalls.server.ts'
export {
  exportTireRegistrations,
  listRegistrationExports,
  listTireRegistrations,
  listWaitingMakers,
  readRegistrationExport,
} from './tire-registrations.server.ts'
export {
  exportRegistrations,
  exportSignatures,
  selectTiresOfOrder,
  type TireRegistration,
} from './tire-registrations.sql.server.ts'
export {
  selectJobProgress,
  selectUndoneJobs,
  selectWorkOrder as readWork,
  type JobProgress,
  type WorkOrderRow as Work,
} from './work-orders.sql.server.ts'
