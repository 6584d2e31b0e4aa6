/** The portal in which shops run their day. */
export {
  findPortalSession,
  forgetOldPortalSessions,
  leavePortal,
  openPortal,
  requireShopMember,
  type PortalActor,
  type PortalSession,
} from './portal-sessions.server.ts'
export { openShop, readSetUp, saveBays, saveBlackoutDays, saveHours, saveLengths, savePrices } from './set-up.server.ts'
export { readShopDay } from './day.server.ts'
