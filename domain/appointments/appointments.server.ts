/** What a shopper does about their appointment, by its link, from the account or over the API. */
export { readStage, replyToAppointment, type AppointmentDeps, type ReplyRefusal } from './reply.server.ts'
export { exportRatings } from './ratings.sql.server.ts'
export { rateShop, readRating } from './rate.server.ts'
export { offerAppointmentTimes, takeAppointmentTime, type TakeRefusal } from './take-time.server.ts'
export { appointmentMessageValues } from './appointment-messages.server.ts'
