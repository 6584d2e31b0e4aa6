/** The portal in which shops run their day. */
export {
  findPortalSession,
  forgetOldPortalSessions,
  leavePortal,
  openPortal,
  requireShopMember,
  type PortalActor,
  type PortalSession,
  portalIdTokenPurpose,
} from './portal-sessions.server.ts'
export { openShop, readSetUp, saveBays, saveBlackoutDays, saveHours, saveLengths, savePrices } from './set-up.server.ts'
export { readShopPhoto, type PhotoRefusal, type Sender, type SentPhoto } from './photo.server.ts'
export { readShopDay } from './day.server.ts'
export { endFeed, makeFeed, openFeed, readFeed, seenFeed } from './shop-feed.server.ts'
export {
  changeCapacity,
  readCapacity,
  type CapacityChange,
  type CapacityRefusal,
  type HurtJob,
} from './capacity.server.ts'
export { planPrices, readPrices, withdrawPrices, type PricesRefusal } from './prices.server.ts'
export { changeRole, endMember, invitePerson, listPeople, type PeopleRefusal } from './people.server.ts'
export { peopleMessageValues } from './people-messages.server.ts'
export {
  clearTextPhone,
  readNotifications,
  saveNotifications,
  saveTextPhone,
  type TextPhoneRefusal,
} from './notifications.server.ts'
export { readShopWeek } from './week.server.ts'
export { endOwnJob, enterOwnJob, type OwnJobFault } from './own-jobs.server.ts'
export { readAreaEvents, saveVanArea, seenArea, type AreaRefusal } from './van-area.server.ts'
export { readVanDay, type VanStopOfDay } from './van-stops.server.ts'
export { moveAsShop, type MoveFault } from './moves.server.ts'
