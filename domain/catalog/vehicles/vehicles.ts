/** Vehicles, their listed tires, the one a shopper chose, and the resulting requirement. Safe in the browser. */
export { decodeChosenVehicle, encodeChosenVehicle, chosenVehicleSchema, type ChosenVehicle } from './chosen-vehicle.ts'
export { requirementFor, requirementForKnownModel, type Settled } from './requirement.ts'
export {
  fitmentText,
  listedTireText,
  sizesNotListed,
  trimText,
  vehicleName,
  type Choice,
  type FitmentOption,
  type KnownModel,
  type ListedTire,
  type SizedVehicle,
  type Vehicle,
} from './vehicle.ts'
export { toSizedVehicle } from './vehicle-rows.ts'
export { decodedName, hasDualRearWheels, modelNames } from './model-names.ts'
export type { PlateRefusal, VinRefusal } from './lookup-refusals.ts'
export { readVinPhoto, vinInBarcode, vinLetters } from './read-vin.ts'
export { isVinChecked, readAnyVin, readVin, resemblesVin, vinEnd, vinInSearch, wrongCheckDigit } from './vin.ts'
