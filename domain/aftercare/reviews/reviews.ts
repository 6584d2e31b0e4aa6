/** The browser-safe parts of reviews, with the form, the rules, list queries, and the ranking. */
export {
  contentRules,
  isRefusalReason,
  knownAccountDays,
  refusalReasons,
  reviewRefusalForm,
  reviewStates,
  type RefusalReason,
  type ReviewState,
  type ScreeningReason,
} from './content-rules.ts'
export { imaginedReviews, rankingMean } from './ranking.ts'
export {
  attributeNames,
  drivingStyles,
  longestComments,
  longestName,
  longestSummary,
  longestVehicle,
  placesUsed,
  reviewForm,
  type ReviewForm,
} from './review-form.ts'
export {
  parseReviewQuery,
  plainReviewQuery,
  reviewParameters,
  reviewSorts,
  type ReviewQuery,
  type ReviewSort,
} from './review-query.ts'
