/**
 * Orders: committed in one transaction, cancelable within the window, then released for capture and shipping, and
 * updated by the carrier.
 */
export { countReplies, insertReply, selectReply } from './appointment-replies.sql.server.ts'
export { readSoldUnits } from './sold-units.sql.server.ts'
export { delayMessageValues } from './delay-messages.server.ts'
export {
  orderCodeMessageValues,
  askForCode,
  readCodeAddress,
  verifyCode,
  type CodeRefusal,
} from './order-code.server.ts'
export { messageValues, calendarAttachments, orderAppointment, orderTrackUrl } from './order-messages.server.ts'
export { findSellerOf, recordSeller } from './sellers.sql.server.ts'
export {
  commitOrder,
  type CommitRefusal,
  type OrderMoney,
  type OrderToCommit,
  type Screened,
} from './commit-order.server.ts'
export type { DraftLine, DraftShipment, OrderDraft } from './place.sql.server.ts'
export { listAccountOrders, listCompanyOrders, orderAccessOf } from './account-orders.server.ts'
export { settleFinancedOrder } from './financed-order.server.ts'
export {
  claimGuestOrders,
  countGuestOrders,
  exportOrders,
  orderIdsOfAccount,
  ownsOrder,
  readOrderFates,
  type OrderInList,
} from './account-orders.sql.server.ts'
export { selectDealerOrders, type DealerOrder } from './dealer-orders.sql.server.ts'
export { cancelOrder, cancelWithin, type CancelRefusal } from './cancel.server.ts'
export { endCanceledOrder, lockWithParcels, takeOutOfParcels } from './cancel-units.server.ts'
export { countAllocated, returnCanceledParts, selectUnshipped } from './cancel-units.sql.server.ts'
export {
  cancelUnansweredOrders,
  confirmOrder,
  endHold,
  remindOfUnconfirmedOrders,
  type ConfirmRefusal,
} from './confirm.server.ts'
export { changeAddressAsStaff } from './change-address.server.ts'
export { selectBookedWork, selectGreetings, type BookedService, type BookedWork } from './booked-work.server.ts'
export { listFeedJobs, listShopJobs, type FeedJob, type ShopJob } from './shop-day.server.ts'
export {
  appointmentWork,
  isAtThatTime,
  moveAppointmentAsStaff,
  offerOtherTimes,
  type AppointmentWork,
} from './change-appointment.server.ts'
export { listVanJobs, type VanJob } from './van-stops.server.ts'
export { moveAppointmentAsShop, readShopAppointment, type ShopMoveRefusal } from './move-as-shop.server.ts'
export {
  cancelAsStaff,
  checkFitAsStaff,
  confirmAsStaff,
  listResendable,
  questionAsStaff,
  record,
  resendAsStaff,
  findToActOn,
  record as recordOrderAct,
  type StaffActOutcome,
  type StaffActRefusal,
} from './staff-acts.server.ts'
export { hasCodes, resendTextAsStaff, sendCodesAgain, showCodes, type OrderCodes } from './staff-messages.server.ts'
export { selectBuyers } from './office-list.sql.server.ts'
export { eraseOrderPeople, exportOrdersById } from './erase-orders.sql.server.ts'
export {
  selectCustomerOrders,
  summarizeOrders,
  type CustomerOrder,
  type OrderingCustomer,
  type OrderSummary,
} from './customer-orders.sql.server.ts'
export { workOrderOf } from './work-order.server.ts'
export {
  answerDelay,
  findDelay,
  listDelaysForStaff,
  settleSilentDelays,
  notifyOfDelay,
  tellOfDelays,
  type DelayView,
} from './delays.server.ts'
export { readOrder, type OrderView } from './order-view.sql.server.ts'
export { lastDeliveryOn, proveOrder, type ProofRefusal } from './prove-order.server.ts'
export { previewReallocation, reallocateParcels } from './reallocate.server.ts'
export {
  listSources,
  reSource,
  reSourceAutomatically,
  type ReSourceRefusal,
  type SourceOption,
} from './re-source.server.ts'
export {
  collectSupplierFiles,
  receiveSupplierMessage,
  sendPurchaseOrder,
  withdrawPurchaseOrder,
  type SupplierAnswer,
} from './supplier-orders.server.ts'
export {
  buyParcelLabel,
  quoteParcelLabel,
  cancelParcel,
  keepLabelFiles,
  labelContentTypes,
  refundLabel,
  shipOrder,
  type LabelRefusal,
} from './announce-parcel.server.ts'
export {
  selectParcelRef,
  hasLineRefunds,
  insertOrderNote,
  lockOrder,
  lockShipments,
  updateCancelUntil,
  updatePromise,
  moveShipment,
  type ParcelPromise,
} from './order-life.sql.server.ts'
export {
  selectOrderOfParcel,
  selectOrderParcels,
  selectPackedParcel,
  selectParcels,
  selectParcelsToPack,
  type Parcel,
  type ParcelPlace,
} from './parcels-to-pack.sql.server.ts'
export {
  selectLabeledParcels,
  selectLabelFile,
  selectLabels,
  type LabeledParcel,
  type ParcelLabel,
} from './parcel-labels.sql.server.ts'
export { notifyOfParcel, releaseJob, releaseOrder, receiveCarrierEvent } from './fulfill.server.ts'
export {
  appointmentToken,
  opensOrder,
  orderKey,
  readAppointmentToken,
  readReceiptKey,
  receiptKey,
  receiptMinutes,
  showsOrder,
  trackingToken,
} from './order-access.server.ts'
export { forgetOldOrderCodes } from './order-code.sql.server.ts'
export { returnOrder } from './return-order.server.ts'
export {
  countOfficeOrders,
  findNeighbors,
  listOfficeOrders,
  tallyOfficeOrders,
  type OfficeOrder,
  type OfficeOrderQuery,
  type PagePlace,
} from './office-list.server.ts'
export { listOfficeAppointments, type AppointmentView, type OfficeAppointment } from './office-appointments.server.ts'
export {
  selectAppointmentDays,
  selectNextAppointments,
  selectSalesDays,
  selectSoldTires,
  type AppointmentDay,
  type NextAppointment,
  type SalesDay,
} from './home-figures.sql.server.ts'
export { listFitChecks } from './fit-checks.sql.server.ts'
export { listOrdersToConfirm, listUncapturedOrders } from './office-queues.sql.server.ts'
export { searchOrders } from './office-search.server.ts'
export { changeFleetPacket, mayChangePacket } from './fleet-packet.server.ts'
export { keepPacket, selectFleetOrders, selectPacket, withPackets, type FleetOrder } from './fleet-packet.sql.server.ts'
export { readVinEnd, recordVin } from './order-vin.server.ts'
export { saveReplyDraft } from './reply-drafts.server.ts'
export { selectReplyDraft } from './reply-drafts.sql.server.ts'
export { addOrderNote, longestNote, noteRemovableMinutes, removeOrderNote } from './order-notes.server.ts'
export { selectHappenings, selectOrderNotes, type OrderHappening, type OrderNote } from './order-story.sql.server.ts'
export { forEachDelivered, isReminderOver, remindOfAppointments } from './order-reminders.server.ts'
export { remindOfStorage } from './storage-reminders.server.ts'
export { findOfficeStoredSet, listOfficeStoredSets } from './office-stored-sets.server.ts'
export {
  insertStoredSet,
  selectStoredSets,
  updateSetPlace,
  updateSetReturned,
  type StoredSetRow,
} from './stored-sets.sql.server.ts'
export { orderTextContent } from './order-texts.server.ts'
export { lookUpOrder } from './look-up.server.ts'
export { selectOrderTires } from './change-order.sql.server.ts'
export { replaceParcels, updatePlace, type OrderPlace } from './change-place.sql.server.ts'
export { selectPaidLines, type PaidLine } from './paid-lines.sql.server.ts'
export {
  isPickupCode,
  listPickups,
  lockPickup,
  readyCodeOf,
  remindOfPickups,
  selectPickup,
  updateHandedOver,
  updateReady,
  updateWrongCode,
  type Pickup,
} from './warehouse-counter.server.ts'
export { receiptOf } from './receipt.server.ts'
