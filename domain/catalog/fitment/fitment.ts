/**
 * Does this tire fit this vehicle, axle by axle? Pure and safe in the browser. The same vehicle and tires give the same
 * result to a shopper, an agent, a partner's page and the shop. Terms are in `terms.ts`, combined results in
 * `verdict.ts`, and one small function per rule in `rules-*.ts`.
 */
export { tooOldText } from './rules-state.ts'
export { isInstallationRefused, judgeFitment, partialSetFindings, ruleBookVersion } from './judge-fitment.ts'
export { isRatedAsHigh, sizesOfLikeHeight, type LikeSize } from './like-sizes.ts'
export { describeMark } from './marks.ts'
export { hasPressureMonitorByLaw } from './rules-equipment.ts'
export { makerTreadTolerance32 } from './rules-set.ts'
export {
  stateRequirement,
  unknownRequirement,
  type RequirementRow,
  type StatedRequirement,
} from './requirement-text.ts'
export {
  factorySizeText,
  isFactorySize,
  summarizeVerdict,
  type AxleRow,
  type AxleTable,
  type FitmentSummary,
} from './summary.ts'
export { traceRules, type RuleTrace } from './trace.ts'
export type {
  Axle,
  AxleRequirement,
  AxleVerdict,
  BrandListing,
  BrandListings,
  Candidate,
  ConditionCode,
  Context,
  Drive,
  Finding,
  FitmentInput,
  FitmentVerdict,
  Requirement,
  VehicleConfiguration,
  Note,
  NoteCode,
  OfferedTire,
  RuleId,
  TireFacts,
  VehicleClass,
} from './terms.ts'
export {
  combineSourced,
  commonWheelFacts,
  factsOf,
  sourcedFacts,
  sourcesOf,
  wheelFactRows,
  wheelSourceText,
  type SourcedWheelFacts,
  type WheelFacts,
} from './wheel-facts.ts'
export { worst, type Level, type RequirementSource } from './verdict.ts'
