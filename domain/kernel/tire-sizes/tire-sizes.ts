/** Tire sizes, load indexes, and speed ratings as marked on a sidewall. Pure, and safe in the browser. */
export {
  loadOf,
  speedOf,
  isSpeedSymbol,
  isLoadRange,
  rangeOf,
  isAsFast,
  compareLoadClass,
  compareLoadRange,
  describeLoadIndex,
  describeSpeed,
  describeLoadRange,
  grouped,
  type SpeedSymbol,
  type MarkedSpeed,
  type LoadClass,
  type LoadRange,
  type Speed,
} from './load-and-speed.ts'
export { parseTire, parseTireSize, tireDesignation, serviceDescription, type TireMarking } from './tire-marking.ts'
export {
  hasSameDimensions,
  isSameSize,
  sizeDesignation,
  sizeSlug,
  parseSizeSlug,
  tireGeometry,
  overallDiameterOf,
  type TireKind,
  type MetricSize,
  type FlotationSize,
  type NumericSize,
  type TireSize,
} from './tire-size.ts'
export { sizeDigits } from './size-digits.ts'
