/** What a shopper does about their appointment, by its link, from the account or over the API. */
export { readStage, replyToAppointment, type AppointmentDeps, type ReplyRefusal } from './reply.server.ts'
export {
  readWaiting,
  stopWaiting,
  takeEarlierTime,
  tellOfEarlierTimes,
  waitForEarlierTime,
  type TakeOfferRefusal,
  type WaitRefusal,
} from './earlier-times.server.ts'
export { changeAsShopper, nextShops, previewAsShopper, takeNextShop, type NextShop } from './next-shops.server.ts'
export { forgetOldWishes } from './earlier-times.sql.server.ts'
export { earlierTimeText, lateText } from './appointment-messages.server.ts'
export { countOnTime, exportRatings, ratingRows } from './ratings.sql.server.ts'
export { rateShop, readRating } from './rate.server.ts'
export { offerAppointmentTimes, takeAppointmentTime, type TakeRefusal } from './take-time.server.ts'
export { appointmentMessageValues, offerMessageValues } from './appointment-messages.server.ts'
