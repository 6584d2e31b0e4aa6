/** Every kind of record with declared actions, which the admin API offers. */
import type { RecordActions } from './define-actions.server.ts'
import { brandActions, brandDescriptionActions } from './actions/brands.server.ts'
import {
  discountTermActions,
  orderTermActions,
  protectionTermActions,
  scheduledTermActions,
  serviceTermActions,
  shippingTermActions,
} from './actions/business-settings.server.ts'
import { brandLogoActions, modelPictureActions, tirePictureActions } from './actions/catalog-pictures.server.ts'
import { tireActions } from './actions/catalog.server.ts'
import { chargeActions } from './actions/charges.server.ts'
import { claimActions, guaranteeActions } from './actions/claims.server.ts'
import { certificateActions, companyActions } from './actions/companies.server.ts'
import { contentPageActions, contentVersionActions } from './actions/content.server.ts'
import { couponActions, couponFileActions } from './actions/coupons.server.ts'
import {
  customerActions,
  customerBlockActions,
  customerMergeActions,
  customerMessageActions,
  customerPairActions,
  customerVehicleActions,
  erasureActions,
  newCustomerActions,
} from './actions/customers.server.ts'
import { disputeActions } from './actions/disputes.server.ts'
import { emailTemplateActions } from './actions/email-templates.server.ts'
import { fraudRuleActions } from './actions/fraud-rules.server.ts'
import { googleListingActions } from './actions/google-listings.server.ts'
import { heldOrderActions } from './actions/held-orders.server.ts'
import { importActions, importFileActions } from './actions/imports.server.ts'
import { manifestActions } from './actions/manifests.server.ts'
import { mapPriceActions, tireMapPriceActions } from './actions/map-prices.server.ts'
import { bounceActions, messageTemplateActions } from './actions/message-templates.server.ts'
import { messageActions } from './actions/messages.server.ts'
import { modelActions, modelDescriptionActions } from './actions/models.server.ts'
import { orderMessageActions } from './actions/order-messages.server.ts'
import { orderActions, orderLineActions } from './actions/orders.server.ts'
import { parcelActions, parcelLabelActions } from './actions/parcels.server.ts'
import { employerActions, partnerActions, widgetActions } from './actions/partners.server.ts'
import { payLaterActions } from './actions/pay-later.server.ts'
import { payoutRateActions } from './actions/payout-rates.server.ts'
import { pickupActions } from './actions/pickups.server.ts'
import { priceListActions, priceListVersionActions } from './actions/price-lists.server.ts'
import { promotionActions } from './actions/promotions.server.ts'
import { purchaseActions } from './actions/purchases.server.ts'
import { purchasingActions } from './actions/purchasing.server.ts'
import { accountDocumentActions, accountTypeActions } from './actions/account-types.server.ts'
import {
  quoteActions,
  quoteCopyActions,
  quoteInstallationActions,
  quoteVersionActions,
} from './actions/quotes.server.ts'
import { rebateActions, rebateFileActions } from './actions/rebates.server.ts'
import { recallActions } from './actions/recalls.server.ts'
import { reconciliationActions } from './actions/reconciliation.server.ts'
import { redirectActions, redirectFileActions } from './actions/redirects.server.ts'
import { orderRefundActions, refundActions } from './actions/refunds.server.ts'
import { orderReturnActions, returnActions } from './actions/returns.server.ts'
import { reviewActions } from './actions/reviews.server.ts'
import { phoneHoursActions, storeLogoActions, storeProfileActions } from './actions/settings.server.ts'
import { shopApplicationActions } from './actions/shop-applications.server.ts'
import { brandedStoreActions, certificationActions } from './actions/shop-marks.server.ts'
import { shopPayActions } from './actions/shop-pay.server.ts'
import { shopReportActions } from './actions/shop-reports.server.ts'
import {
  profileRequestActions,
  shopCapacityActions,
  shopPriceActions,
  vanAreaActions,
} from './actions/shop-terms.server.ts'
import { shopActions, shopClosingActions, shopFileActions } from './actions/shops.server.ts'
import { roleActions, staffActions } from './actions/staff.server.ts'
import { sizeListActions } from './actions/size-lists.server.ts'
import { stockOrderActions, stockReceiptActions } from './actions/stock-orders.server.ts'
import { stockActions } from './actions/stock.server.ts'
import { customerCreditActions, storeCreditActions } from './actions/store-credit.server.ts'
import { priceRuleActions, priceRuleImportActions } from './actions/price-rules.server.ts'
import { supplierReturnActions } from './actions/supplier-returns.server.ts'
import { supplierFeedActions } from './actions/supplier-feeds.server.ts'
import { supplierActions } from './actions/suppliers.server.ts'
import { rateFileActions, stateTaxFileActions } from './actions/tax-files.server.ts'
import { stateTaxActions } from './actions/taxes.server.ts'
import { partActions, partFileActions } from './actions/parts.server.ts'
import { tireTypeActions } from './actions/tire-types.server.ts'
import { shippingExceptionActions, shippingZoneActions } from './actions/shipping-plan.server.ts'
import { warehouseActions, warehouseClosingActions, warehouseTransitActions } from './actions/warehouses.server.ts'
import { failedWebhookActions, webhookActions } from './actions/webhooks.server.ts'

/** A declaration with its refusal messages by reason. */
export type AnyRecordActions = Omit<RecordActions, 'refusals'> & { refusals: Readonly<Record<string, unknown>> }

export const recordActions: readonly AnyRecordActions[] = [
  warehouseActions,
  warehouseClosingActions,
  warehouseTransitActions,
  stateTaxActions,
  stateTaxFileActions,
  rateFileActions,
  manifestActions,
  supplierActions,
  stockOrderActions,
  stockReceiptActions,
  supplierReturnActions,
  stockActions,
  shopActions,
  shopClosingActions,
  shopCapacityActions,
  shopPriceActions,
  vanAreaActions,
  profileRequestActions,
  shopApplicationActions,
  certificationActions,
  brandedStoreActions,
  partnerActions,
  employerActions,
  widgetActions,
  fraudRuleActions,
  priceRuleActions,
  priceRuleImportActions,
  brandActions,
  brandDescriptionActions,
  brandLogoActions,
  modelActions,
  modelDescriptionActions,
  modelPictureActions,
  recallActions,
  redirectActions,
  redirectFileActions,
  couponFileActions,
  rebateFileActions,
  shopFileActions,
  tireActions,
  tirePictureActions,
  tireTypeActions,
  partActions,
  partFileActions,
  rebateActions,
  couponActions,
  promotionActions,
  priceListActions,
  priceListVersionActions,
  mapPriceActions,
  tireMapPriceActions,
  sizeListActions,
  supplierFeedActions,
  googleListingActions,
  importFileActions,
  importActions,
  emailTemplateActions,
  messageTemplateActions,
  bounceActions,
  reviewActions,
  newCustomerActions,
  customerActions,
  customerMessageActions,
  accountTypeActions,
  accountDocumentActions,
  customerBlockActions,
  customerPairActions,
  customerVehicleActions,
  customerMergeActions,
  erasureActions,
  customerCreditActions,
  storeCreditActions,
  companyActions,
  certificateActions,
  webhookActions,
  failedWebhookActions,
  contentPageActions,
  contentVersionActions,
  returnActions,
  orderReturnActions,
  claimActions,
  guaranteeActions,
  heldOrderActions,
  orderActions,
  orderLineActions,
  orderMessageActions,
  orderRefundActions,
  refundActions,
  parcelActions,
  parcelLabelActions,
  pickupActions,
  messageActions,
  shopReportActions,
  shopPayActions,
  chargeActions,
  disputeActions,
  purchaseActions,
  payLaterActions,
  reconciliationActions,
  quoteActions,
  quoteInstallationActions,
  quoteCopyActions,
  quoteVersionActions,
  purchasingActions,
  storeProfileActions,
  storeLogoActions,
  phoneHoursActions,
  scheduledTermActions,
  shippingTermActions,
  shippingZoneActions,
  shippingExceptionActions,
  orderTermActions,
  discountTermActions,
  protectionTermActions,
  serviceTermActions,
  payoutRateActions,
  roleActions,
  staffActions,
]
