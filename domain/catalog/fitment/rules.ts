/** The rule book as tables, strongest reason first. This order decides which refusal a shopper reads first. */
import { isListedByBrand } from './rules-brand.ts'
import { markIsListed, marksAreAlike, runFlatIsListed, runFlatIsMonitored } from './rules-equipment.ts'
import * as kind from './rules-kind.ts'
import * as load from './rules-load.ts'
import * as set from './rules-set.ts'
import * as size from './rules-size.ts'
import { isAsFastAsListed, slowerTireIsAllowed, zrHasItsLetter } from './rules-speed.ts'
import { isNotTooOld } from './rules-state.ts'
import type { AxleCase, RuleId, Ruling, SetCase } from './terms.ts'

export type Rule<Case> = readonly [id: RuleId, judge: (at: Case) => Ruling]

/** Rules that don't use the listed size. Only these may refuse for an unknown vehicle (section 1, source cap). */
export const rulesForAnyVehicle: readonly Rule<AxleCase>[] = [
  ['FR35', kind.temporarySpareIsForSpare],
  ['FR36', kind.trailerTireIsForTrailer],
  ['FR37', kind.heavyTruckTireIsListed],
  ['FR43', isNotTooOld],
]

export const rulesForListedVehicle: readonly Rule<AxleCase>[] = [
  ['FR1', size.offeredSizeIsKnown],
  ['FR1', size.listedSizeIsKnown],
  ['FR44', size.aftermarketWheelIsDescribed],
  ...rulesForAnyVehicle,
  ['FR36', kind.trailerTireIsOnLabel],
  ['FR14', kind.passengerTireForLightTruck],
  ['FR15', kind.lightTruckTireForOther],
  ['FR30', kind.constructionIsListed],
  ['FR4', kind.kindsAreComparable],
  ['FR5', size.rimIsWheelRim],
  ['FR6', size.sizeIsListed],
  ['FR39', load.dualWheelsTakeListedSize],
  ['FR1', size.offeredLoadIsKnown],
  ['FR1', size.listedLoadIsKnown],
  ['FR10', load.carriesListedLoad],
  ['FR11', load.carriesListedLoadAcrossKinds],
  ['FR12', load.carriesAxleRating],
  ['FR13', load.loadRangeIsListed],
  ['FR39', load.carriesListedLoadSideBySide],
  ['FR16', load.loadClassIsListed],
  ['FR17', load.allowsLabelPressure],
  ['FR1', size.offeredSpeedIsKnown],
  ['FR1', size.listedSpeedIsKnown],
  ['FR18', isAsFastAsListed],
  ['FR19', slowerTireIsAllowed],
  ['FR20', zrHasItsLetter],
  ['FR7', size.sizeIsAlternative],
  ['FR8', size.diameterIsNear],
  ['FR9', size.wheelWidthIsApproved],
  ['FR38', kind.inchSizeForMetric],
  ['FR33', runFlatIsMonitored],
  ['FR32', runFlatIsListed],
  ['FR34', markIsListed],
  ['FR48', isListedByBrand],
]

export const rulesForSet: readonly Rule<SetCase>[] = [
  ['FR1', set.quantityCoversAxles],
  ['FR39', set.quantityCoversDualWheels],
  ['FR30', set.kindsAreNotMixed],
  ['FR31', set.runFlatsAreNotMixed],
  ['FR29', set.winterTiresAreFour],
  ['FR24', set.axleIsMatched],
  ['FR25', set.singleTireHasMate],
  ['FR27', set.treadsMatchOnAllWheelDrive],
  ['FR28', size.axlesTurnTogether],
  ['FR23', size.sizesAreAsListed],
  ['FR34', marksAreAlike],
  ['FR26', set.newPairGoesOnRear],
]

/** Returns a rule's position in these tables; lower comes first. */
export function strengthOf(rule: RuleId): number {
  return order.indexOf(rule)
}

const order: readonly RuleId[] = [...new Set([...rulesForListedVehicle, ...rulesForSet].map(([id]) => id))]
