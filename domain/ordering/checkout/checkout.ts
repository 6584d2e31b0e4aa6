/** The parts of checkout the browser may use. */
export { chargedPrices, type ChargedPrice } from './charged-prices.ts'
export {
  canAddRoadside,
  coverageYears,
  coverageYearsText,
  planWords,
  roadHazardTable,
  roadHazardYearsText,
  roadsideBenefits,
} from './services.ts'
