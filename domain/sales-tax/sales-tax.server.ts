/** Sales tax: rates of places, their import, and the office's view of them. */
export { discardRates, importRates, previewRates, uploadRates, type RatePreview } from './import-rates.server.ts'
export { findTaxRule, listRates, listStateRates, readTaxRules, type TaxRules } from './rates.server.ts'
export { countRates, selectRateFiles } from './rates.sql.server.ts'
