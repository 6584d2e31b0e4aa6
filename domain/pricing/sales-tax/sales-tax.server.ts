/** Sales tax rates by location and their import, provider results for carts, and reports on orders. */
export {
  insertOrderTax,
  selectEstimatedOrders,
  selectOrderTax,
  taxBasisOf,
  type OrderTax,
} from './answers.sql.server.ts'
export { taxCart, type PriceTax } from './cart-tax.server.ts'
export { discardRates, importRates, previewRates, uploadRates, type RatePreview } from './import-rates.server.ts'
export { findTaxRule, listRates, readTaxRules, type TaxRules } from './rates.server.ts'
export { countRates, selectRateFiles } from './rates.sql.server.ts'
export {
  giveTaxBack,
  isTaxReported,
  promiseTaxReport,
  replaceOrderTax,
  reportOrderTax,
  type RefundedTax,
} from './order-tax.server.ts'
export {
  cancelStateTaxChange,
  changeStateTax,
  findStateTax,
  importStateTaxes,
  listStateTaxes,
  useBuiltInTax,
  type StateTaxView,
} from './state-taxes.server.ts'
export { verifiedStates, type StateTaxRow } from './state-taxes.sql.server.ts'
