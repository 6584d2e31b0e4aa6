/** The parts of checkout the browser may use. */
export { chargedPrices, type ChargedPrice } from './charged-prices.ts'
export { canAddRoadside, planWords, roadHazardRuns, roadHazardTable, roadsideBenefits } from './services.ts'
