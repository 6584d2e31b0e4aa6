/** The words of fitment as types. `undefined` is always "not known": it leads to a question, never to a default. */
import type { LoadClass, LoadRange, MarkedSpeed } from './load-and-speed.ts'
import type { TireSize } from './tire-size.ts'
import type { Level, RequirementSource } from './verdict.ts'

export type Axle = 'front' | 'rear'
/** `suv` is any multipurpose vehicle, `truck` a pickup, `commercial` anything above 10,000 lb. */
export type VehicleClass = 'car' | 'suv' | 'truck' | 'van' | 'trailer' | 'commercial'
/** `4wd` is part-time four-wheel drive; `na` where nothing is driven or it is not known. */
export type Drive = 'fwd' | 'rwd' | 'awd' | '4wd' | 'na'

/** What is known of one tire, needed or offered. `TireMarking` of `parseTire` is one. */
export type TireFacts = {
  readonly size?: TireSize | undefined
  readonly loadIndex?: number | undefined
  readonly dualLoadIndex?: number | undefined
  readonly speed?: MarkedSpeed | undefined
  readonly loadClass?: LoadClass | undefined
  readonly loadRange?: LoadRange | undefined
  readonly runFlat?: boolean | undefined
  /** A car maker's mark on the sidewall: N0, MO, AO, *, T0. */
  readonly mark?: string | undefined
}

/** What the vehicle asks on one axle, and the wheels that are on it. */
export type AxleRequirement = TireFacts & {
  /** Axle rating from the certification label, in lb. */
  readonly axleRatingLb?: number | undefined
  /** Cold pressure on the label, in psi. */
  readonly pressurePsi?: number | undefined
  /** Given only if measured or read; factory wheels are taken to have the rim of the listed size. */
  readonly wheelRimIn?: number | undefined
  readonly wheelWidthIn?: number | undefined
}

/** One way the vehicle may be: a trim, year or package that is not settled gives several. */
export type VehicleConfiguration = { readonly front: AxleRequirement; readonly rear: AxleRequirement }

export type Requirement = {
  readonly source: RequirementSource
  /** When the vehicle's data was taken, as the source says it; shown with the verdict. */
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
}

/** A tire for sale. `winter` is a dedicated winter line; `snowflake` the three-peak mountain mark. */
export type OfferedTire = TireFacts & {
  readonly winter?: boolean | undefined
  readonly snowflake?: boolean | undefined
  /** The rim widths the maker approves, both included. */
  readonly rimWidthsIn?: { readonly min: number; readonly max: number } | undefined
  readonly maxPsi?: number | undefined
  /** As the maker states it, in mm; the nominal diameter follows from the size. */
  readonly measuredDiameterMm?: number | undefined
  /** Years since the DOT week. */
  readonly ageYears?: number | undefined
  readonly made?: { readonly week: number; readonly year: number } | undefined
}

/** Only `front` with a quantity for all wheels is the same tire on every wheel; only `rear` is a rear pair. */
export type Candidate = { readonly front?: OfferedTire | undefined; readonly rear?: OfferedTire | undefined }

/** What the shopper buys and what stays on the vehicle. */
export type Context = {
  /** Tires bought in all. Listings judge 4 (2 + 2 where front and rear differ) and say so. */
  readonly quantity?: number | undefined
  /** Where a pair goes. */
  readonly axle?: Axle | undefined
  readonly spare?: boolean | undefined
  /** The two tires of one axle would not be the same article. */
  readonly leftAndRightDiffer?: boolean | undefined
  /** The tires that stay: the line bought now, or another one. */
  readonly remainingLine?: 'same' | 'other' | undefined
  readonly remainingWinter?: boolean | undefined
  readonly remainingRunFlat?: boolean | undefined
  /** Tread of the new tires minus tread of those that stay, in 1/32 inch. */
  readonly treadGap32?: number | undefined
  /** What the vehicle's maker allows, in 1/32 inch of tread (see `makerTreadTolerance32`). */
  readonly makerTreadTolerance32?: number | undefined
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
export type NoteCode = 'N-AGE' | 'N-CHAIN' | 'N-EV' | 'N-SNOW' | 'N-TPMS'

/** What one rule says below "fits". `text` is for the product page, `short` ends a sentence on a card. */
export type Fault = {
  readonly level: Exclude<Level, 'fits'>
  readonly text: string
  readonly short: string
  readonly condition?: ConditionCode
}
/** What a rule answers. Silent: it has nothing to do with this case. */
export type Ruling = 'silent' | 'passed' | Fault

/** A fault with the rule that found it and where: on one axle, or in the set as a whole. */
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
  /** The rules that decided: those at the level of the verdict; for "fits" those that had to pass. */
  readonly rules: readonly RuleId[]
  /**
   * The rules that had something to say and found nothing wrong, whatever the vehicle may be; in the order of the
   * tables.
   */
  readonly passed: readonly RuleId[]
  /** What must be shown and acknowledged before checkout; empty unless the verdict is fits_with_conditions. */
  readonly conditions: readonly { readonly code: ConditionCode; readonly text: string }[]
  /** Shown; they never change the verdict. */
  readonly notes: readonly Note[]
  readonly source: RequirementSource
  readonly sourceDate: string | undefined
  readonly ruleBook: string
  /** The need, tires and purchase that were judged, so that the work order can quote them. */
  readonly input: FitmentInput
}

/** One tire on one axle of one possible vehicle, with the facts that several rules share. */
export type AxleCase = {
  readonly axle: Axle
  readonly requirement: AxleRequirement
  readonly tire: OfferedTire
  readonly vehicle: Requirement
  readonly context: Context
  readonly match: SizeMatch
  /**
   * For "your … must carry": "tires" where both axles need the same load, else "front tires" or "rear tires"; "spare".
   */
  readonly tiresWord: string
  /** Rim of the wheel on this axle; undefined for aftermarket wheels that were not described. */
  readonly wheelRimIn: number | undefined
}

/**
 * How the offered size stands to the listed one: the same (FR6); the same numbers in another kind (LT265/70R17 for
 * 265/70R17); listed for another trim on the same rim (FR7); any other; or not known on one side.
 */
export type SizeMatch = 'same' | 'other-kind' | 'alternative' | 'other' | 'unknown'

/** The purchase as a whole on one possible vehicle. `front` and `rear` are the axles that get tires. */
export type SetCase = {
  readonly configuration: VehicleConfiguration
  readonly front: AxleCase | undefined
  readonly rear: AxleCase | undefined
  readonly vehicle: Requirement
  readonly context: Context
  /** Some wheels keep the tires they have. */
  readonly partial: boolean
}
