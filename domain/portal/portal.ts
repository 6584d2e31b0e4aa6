/** The parts of the portal that the browser may use. */
export { type DayJob, type DayOwnJob, type EmptyTime, type ShopDay } from './day.ts'
export type { ShopWeek, WeekDay } from './week.ts'
export { moveForm, moveReasons, ownJobForm, ownJobLengths, readDay, uuidShape } from './own-job-form.ts'
export { portalCan, type PortalPermission } from './portal-roles.ts'
export {
  baysStepForm,
  blackoutForm,
  hoursStepForm,
  lengthsStepForm,
  priceField,
  pricesStepForm,
} from './set-up-form.ts'
export {
  missingSteps,
  pricedJobs,
  rimBands,
  rimBandText,
  setUpStepNames,
  setUpSteps,
  slotLengths,
  tireMinutes,
  type SetUp,
  type SetUpStep,
} from './set-up.ts'

/** How long a session of the portal lasts: a long working day. */
export const portalSessionSeconds = 12 * 3_600
