/** The parts of checkout the browser may use. */
export { chargedPrices, type ChargedPrice } from './charged-prices.ts'
export { billingForm, contactForm, type Contact, type PhoneType } from './contact.ts'
export { canAddRoadside, planWords, roadHazardRuns, roadHazardTable, roadsideBenefits } from './services.ts'
