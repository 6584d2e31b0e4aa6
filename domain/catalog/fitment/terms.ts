/** The types of fitment. `undefined` always means "not known". It leads to a question, never to a default. */
import type { LoadClass, LoadRange, MarkedSpeed, TireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Level, RequirementSource } from './verdict.ts'
import type { SourcedWheelFacts } from './wheel-facts.ts'

export type Axle = 'front' | 'rear'
/** `suv` is any multipurpose vehicle, `truck` a pickup, `commercial` anything above 10,000 lb. */
export type VehicleClass = 'car' | 'suv' | 'truck' | 'van' | 'trailer' | 'commercial'
/** `4wd` is part-time four-wheel drive; `na` means no driven axle or unknown. */
export type Drive = 'fwd' | 'rwd' | 'awd' | '4wd' | 'na'

/** What is known about one tire, required or offered. `parseTire`'s `TireMarking` is one. */
export type TireFacts = {
  readonly size?: TireSize | undefined
  readonly loadIndex?: number | undefined
  readonly dualLoadIndex?: number | undefined
  readonly speed?: MarkedSpeed | undefined
  readonly loadClass?: LoadClass | undefined
  readonly loadRange?: LoadRange | undefined
  readonly runFlat?: boolean | undefined
  /** A carmaker's mark on the sidewall, such as N0, MO, AO, * or T0. */
  readonly mark?: string | undefined
}

/** What the vehicle requires on one axle, and the wheels on it. */
export type AxleRequirement = TireFacts & {
  /** Axle rating from the certification label, in lb. */
  readonly axleRatingLb?: number | undefined
  /** Cold pressure on the label, in psi. */
  readonly pressurePsi?: number | undefined
  /** Given only if measured or read; factory wheels are assumed to have the listed size's rim. */
  readonly wheelRimIn?: number | undefined
  readonly wheelWidthIn?: number | undefined
}

/** One possible vehicle configuration. An open trim, year or package gives several. */
export type VehicleConfiguration = { readonly front: AxleRequirement; readonly rear: AxleRequirement }

/**
 * An item that its brand lists for the vehicle. `axle` is undefined for all wheels, `terms` are the brand's conditions or
 * empty, and `date` is the date of its catalog, such as "October 5, 2026".
 */
export type BrandListing = {
  readonly axle: Axle | undefined
  readonly terms: string
  readonly company: string
  readonly date: string
}

/** The brands' listings for a vehicle, by item. `key` differs if they do, for caches. */
export type BrandListings = { readonly key: string; readonly byItem: ReadonlyMap<number, readonly BrandListing[]> }

export type Requirement = {
  readonly source: RequirementSource
  /** The date of the vehicle's data, as its source states it; shown with the verdict. */
  readonly sourceDate?: string | undefined
  readonly vehicleClass: VehicleClass
  readonly drive: Drive
  readonly make?: string | undefined
  readonly modelYear?: number | undefined
  readonly configurations: readonly VehicleConfiguration[]
  /** Sizes listed for other trims of the model. */
  readonly alternativeSizes?: readonly TireSize[] | undefined
  readonly aftermarketWheels?: boolean | undefined
  /** Two wheels side by side at each end of the rear axle: six tires. */
  readonly dualRearWheels?: boolean | undefined
  /** A working tire-pressure monitor. */
  readonly pressureMonitor?: boolean | undefined
  readonly electric?: boolean | undefined
  /** For the shop that mounts the tires. They never change a result (FR50). */
  readonly wheels?: SourcedWheelFacts | undefined
  /** They never raise a result (FR48). */
  readonly brandListings?: BrandListings | undefined
}

/** A tire for sale. `winter` is a dedicated winter line; `snowflake` the three-peak mountain mark. */
export type OfferedTire = TireFacts & {
  /** Finds the item among the brands' listings. */
  readonly itemId?: number | undefined
  readonly winter?: boolean | undefined
  readonly snowflake?: boolean | undefined
  /** The rim widths the maker approves, inclusive. */
  readonly rimWidthsIn?: { readonly min: number; readonly max: number } | undefined
  readonly maxPsi?: number | undefined
  /** As the maker states it, in mm; the nominal diameter follows from the size. */
  readonly measuredDiameterMm?: number | undefined
  /** Years since the DOT week. */
  readonly ageYears?: number | undefined
  readonly made?: { readonly week: number; readonly year: number } | undefined
}

/** Only `front` with a quantity for all wheels means the same tire on every wheel; only `rear` is a rear pair. */
export type Candidate = { readonly front?: OfferedTire | undefined; readonly rear?: OfferedTire | undefined }

/** What the shopper buys and what stays on the vehicle. */
export type Context = {
  /** Total tires bought. Listings judge 4 (2 + 2 for staggered sizes) and say so. */
  readonly quantity?: number | undefined
  /** Where a pair goes. */
  readonly axle?: Axle | undefined
  readonly spare?: boolean | undefined
  /** The two tires on one axle are different items. */
  readonly leftAndRightDiffer?: boolean | undefined
  /** Whether the remaining tires are the model being bought or another one. */
  readonly remainingLine?: 'same' | 'other' | undefined
  readonly remainingWinter?: boolean | undefined
  readonly remainingRunFlat?: boolean | undefined
  /** Tread of the new tires minus tread of those that stay, in 1/32 inch. */
  readonly treadGap32?: number | undefined
  /** The vehicle maker's limit, in 1/32 inch of tread (see `makerTreadTolerance32`). */
  readonly makerTreadTolerance32?: number | undefined
  /** The maximum age of a tire for sale, in years since its DOT week; the rule book's six if omitted. */
  readonly maxAgeYears?: number | undefined
  readonly wantsSnow?: boolean | undefined
  readonly wantsChains?: boolean | undefined
}

export type FitmentInput = {
  readonly requirement: Requirement
  readonly candidate: Candidate
  readonly context: Context
}

export type RuleId = `FR${number}`
export type ConditionCode =
  | 'C-ALT'
  | 'C-AWD'
  | 'C-BRAND'
  | 'C-CLEAR'
  | 'C-COMM'
  | 'C-FLOAT'
  | 'C-FRONTPAIR'
  | 'C-LI'
  | 'C-MARK'
  | 'C-MATE'
  | 'C-NOSPARE'
  | 'C-PLACARD'
  | 'C-PRESS'
  | 'C-PRESS-LT'
  | 'C-REAR'
  | 'C-RFWHEEL'
  | 'C-SPEED'
export type NoteCode = 'N-AGE' | 'N-BRAND' | 'N-CHAIN' | 'N-EV' | 'N-SNOW' | 'N-TPMS'

/** A rule's result below "fits". `text` is for the product page, `short` ends a sentence on a card. */
export type Fault = {
  readonly level: Exclude<Level, 'fits'>
  readonly text: string
  readonly short: string
  readonly condition?: ConditionCode
}
/** A rule's result. Silent: it does not apply to this case. */
export type Ruling = 'silent' | 'passed' | Fault

/** A fault with its rule and location. The location is one axle or the whole set. */
export type Finding = Fault & { readonly rule: RuleId; readonly axle: Axle | 'set' }
export type Note = { readonly code: NoteCode; readonly rule: RuleId; readonly text: string }

export type AxleVerdict = { readonly verdict: Level; readonly text: string }
export type FitmentVerdict = {
  readonly verdict: Level
  /** Undefined for an axle that gets no tires. */
  readonly front: AxleVerdict | undefined
  readonly rear: AxleVerdict | undefined
  /** Every rule below "fits", strongest first. */
  readonly findings: readonly Finding[]
  /** The deciding rules, meaning those at the result's level or, for "fits", those that had to pass. */
  readonly rules: readonly RuleId[]
  /** The rules that applied and passed in every possible configuration; in table order. */
  readonly passed: readonly RuleId[]
  /** Must be shown and acknowledged before checkout; empty unless the verdict is fits_with_conditions. */
  readonly conditions: readonly { readonly code: ConditionCode; readonly text: string }[]
  /** Shown, but never change the verdict. */
  readonly notes: readonly Note[]
  readonly source: RequirementSource
  readonly sourceDate: string | undefined
  readonly ruleBook: string
  /** The evaluated requirement, tires and purchase, so that the work order can quote them. */
  readonly input: FitmentInput
}

/** One tire on one axle of one possible vehicle, with facts shared by several rules. */
export type AxleCase = {
  readonly axle: Axle
  readonly requirement: AxleRequirement
  readonly tire: OfferedTire
  readonly vehicle: Requirement
  readonly context: Context
  readonly match: SizeMatch
  /**
   * For "your … must carry": "tires" if both axles require the same load, else "front tires" or "rear tires"; "spare".
   */
  readonly tiresWord: string
  /** Rim diameter of the wheel on this axle; undefined for undescribed aftermarket wheels. */
  readonly wheelRimIn: number | undefined
}

/**
 * The offered size compared with the listed one. It is the same (FR6), the same numbers in another kind (LT265/70R17
 * for 265/70R17), listed for another trim on the same rim (FR7), different, or unknown on one side.
 */
export type SizeMatch = 'same' | 'other-kind' | 'alternative' | 'other' | 'unknown'

/** The whole purchase on one possible vehicle. `front` and `rear` are the axles that get tires. */
export type SetCase = {
  readonly configuration: VehicleConfiguration
  readonly front: AxleCase | undefined
  readonly rear: AxleCase | undefined
  readonly vehicle: Requirement
  readonly context: Context
  /** Some wheels keep their current tires. */
  readonly partial: boolean
}
