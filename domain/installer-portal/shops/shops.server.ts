/** Shops and vans as staff and their owners edit them. */
export { addShop, changeShop, findShopRecord, seenRequest, type ProfileRefusal } from './profiles.server.ts'
export {
  decideProfileRequest,
  listProfileRequests,
  readProfileRequest,
  saveProfileAsOwner,
} from './profile-requests.server.ts'
export { importShops } from './import-shops.server.ts'
export { closeDueShops, listUndecidedClosings } from './closing.server.ts'
export {
  changeStatus,
  listAffected,
  type AffectedAppointment,
  type StatusInput,
  type StatusRefusal,
} from './status.server.ts'
