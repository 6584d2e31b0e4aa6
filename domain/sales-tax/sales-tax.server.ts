/** Sales tax: rates of places, their import, the provider's answers for carts and what it is told of orders. */
export {
  insertOrderTax,
  selectEstimatedOrders,
  selectOrderTax,
  taxBasisOf,
  type OrderTax,
} from './answers.sql.server.ts'
export { taxCart, type PriceTax } from './cart-tax.server.ts'
export { discardRates, importRates, previewRates, uploadRates, type RatePreview } from './import-rates.server.ts'
export { findTaxRule, listRates, listStateRates, readTaxRules, type TaxRules } from './rates.server.ts'
export { countRates, selectRateFiles } from './rates.sql.server.ts'
export {
  giveTaxBack,
  isTaxReported,
  promiseTaxReport,
  replaceOrderTax,
  reportOrderTax,
  type RefundedTax,
} from './order-tax.server.ts'
