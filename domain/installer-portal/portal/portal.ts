/** The parts of the portal that the browser may use. */
export { type DayJob, type DayOwnJob, type EmptyTime, type ShopDay } from './day.ts'
export type { ShopWeek, WeekDay } from './week.ts'
export { moveForm, moveReasons, ownJobForm, ownJobLengths, readDay, uuidShape } from './own-job-form.ts'
export {
  bufferChoices,
  capacityDayForm,
  capacityFacts,
  capacityDifferences,
  capacityForm,
  capacityValues,
  changedTerms,
  gridChoices,
  hoursLines,
  misfitWords,
  noticeChoices,
  walkInChoices,
  type CapacityDifference,
  type CapacityInput,
} from './capacity.ts'
export { notificationsForm, textPhoneForm } from './notification-form.ts'
export { inviteForm, memberForm } from './people.ts'
export { jobExamples, minutesField, pricesForm, pricesValues, rateFor, serviceFields, timeFields } from './prices.ts'
export { areaWithinMiles, longestArea, mostAreaZips, parseArea } from './van-area.ts'
export { canAfterClosing, portalCan, type PortalPermission } from './portal-roles.ts'
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

/** The portal session duration, which covers a long working day. */
export const portalSessionSeconds = 12 * 3_600

/** How long an authentication counts as fresh, for acts that move money elsewhere. */
const freshSeconds = 10 * 60

/** Returns whether a person authenticated recently enough for sensitive actions. */
export function isFreshAtShop(
  { authenticatedAt }: { authenticatedAt: Temporal.Instant },
  now: Temporal.Instant,
): boolean {
  return Temporal.Instant.compare(authenticatedAt.add({ seconds: freshSeconds }), now) > 0
}
