/**
 * Orders: committed in one transaction, cancelable within the window, then released for capture and shipping, and
 * updated by the carrier.
 */
export { readSoldUnits } from '#domain/orders/sold-units.sql.server.ts'
export { delayMessageValues } from '#domain/orders/delay-messages.server.ts'
export { orderCodeMessageValues } from '#domain/orders/order-code.server.ts'
export { messageValues } from '#domain/orders/order-messages.server.ts'
export { findSellerOf, recordSeller } from '#domain/orders/sellers.sql.server.ts'
export {
  commitOrder,
  type CommitRefusal,
  type OrderMoney,
  type OrderToCommit,
  type Screened,
} from '#domain/orders/commit-order.server.ts'
export type { DraftLine, DraftShipment, OrderDraft } from '#domain/orders/place.sql.server.ts'
export { listAccountOrders, listCompanyOrders, orderAccessOf } from '#domain/orders/account-orders.server.ts'
export { settleFinancedOrder } from '#domain/orders/financed-order.server.ts'
export {
  claimGuestOrders,
  countGuestOrders,
  exportOrders,
  orderIdsOfAccount,
  ownsOrder,
  readOrderFates,
  type OrderInList,
} from '#domain/orders/account-orders.sql.server.ts'
export { selectDealerOrders, type DealerOrder } from '#domain/orders/dealer-orders.sql.server.ts'
export { countReplies, insertReply, selectReply } from '#domain/orders/appointment-replies.sql.server.ts'
export { cancelOrder, cancelWithin, type CancelRefusal } from '#domain/orders/cancel.server.ts'
export { endCanceledOrder, lockWithParcels, takeOutOfParcels } from '#domain/orders/cancel-units.server.ts'
export { countAllocated, selectUnshipped } from '#domain/orders/cancel-units.sql.server.ts'
export {
  cancelUnansweredOrders,
  confirmOrder,
  endHold,
  remindOfUnconfirmedOrders,
  type ConfirmRefusal,
} from '#domain/orders/confirm.server.ts'
export { changeAddressAsStaff } from '#domain/orders/change-address.server.ts'
export {
  selectBookedWork,
  selectGreetings,
  type BookedService,
  type BookedWork,
} from '#domain/orders/booked-work.server.ts'
export { listFeedJobs, listShopJobs, type FeedJob, type ShopJob } from '#domain/orders/shop-day.server.ts'
export {
  appointmentWork,
  isAtThatTime,
  moveAppointmentAsStaff,
  offerOtherTimes,
  type AppointmentWork,
} from '#domain/orders/change-appointment.server.ts'
export { listVanJobs, type VanJob } from '#domain/orders/van-stops.server.ts'
export { moveAppointmentAsShop, readShopAppointment, type ShopMoveRefusal } from '#domain/orders/move-as-shop.server.ts'
export {
  cancelAsStaff,
  confirmAsStaff,
  listResendable,
  questionAsStaff,
  record,
  resendAsStaff,
  type StaffActOutcome,
} from '#domain/orders/staff-acts.server.ts'
export {
  hasCodes,
  resendTextAsStaff,
  sendCodesAgain,
  showCodes,
  type OrderCodes,
} from '#domain/orders/staff-messages.server.ts'
export { selectBuyers } from '#domain/orders/office-list.sql.server.ts'
export { eraseOrderPeople, exportOrdersById } from '#domain/orders/erase-orders.sql.server.ts'
export {
  selectCustomerOrders,
  summarizeOrders,
  type CustomerOrder,
  type OrderingCustomer,
  type OrderSummary,
} from '#domain/orders/customer-orders.sql.server.ts'
export { workOrderOf } from '#domain/orders/work-order.server.ts'
export {
  answerDelay,
  findDelay,
  listDelaysForStaff,
  settleSilentDelays,
  notifyOfDelay,
  tellOfDelays,
  type DelayView,
} from '#domain/orders/delays.server.ts'
export { readOrder, type OrderView } from '#domain/orders/order-view.sql.server.ts'
export { lastDeliveryOn, proveOrder, type ProofRefusal } from '#domain/orders/prove-order.server.ts'
export { listSources, reSource, type ReSourceRefusal, type SourceOption } from '#domain/orders/re-source.server.ts'
export {
  receiveSupplierMessage,
  sendPurchaseOrder,
  withdrawPurchaseOrder,
  type SupplierAnswer,
} from '#domain/orders/supplier-orders.server.ts'
export {
  buyParcelLabel,
  cancelParcel,
  keepLabelFiles,
  labelContentTypes,
  refundLabel,
  shipOrder,
  type LabelRefusal,
} from '#domain/orders/announce-parcel.server.ts'
export { selectParcelRef } from '#domain/orders/order-life.sql.server.ts'
export {
  selectOrderOfParcel,
  selectOrderParcels,
  selectPackedParcel,
  selectParcelsToPack,
  type Parcel,
  type ParcelPlace,
} from '#domain/orders/parcels-to-pack.sql.server.ts'
export { selectLabelFile, selectLabels, type ParcelLabel } from '#domain/orders/parcel-labels.sql.server.ts'
export { notifyOfParcel, releaseJob, releaseOrder, receiveCarrierEvent } from '#domain/orders/fulfill.server.ts'
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
} from '#domain/orders/order-access.server.ts'
export { askForCode, readCodeAddress, verifyCode, type CodeRefusal } from '#domain/orders/order-code.server.ts'
export { forgetOldOrderCodes } from '#domain/orders/order-code.sql.server.ts'
export { returnOrder } from '#domain/orders/return-order.server.ts'
export {
  countOfficeOrders,
  findNeighbors,
  listOfficeOrders,
  type OfficeOrder,
  type OfficeOrderQuery,
  type PagePlace,
} from '#domain/orders/office-list.server.ts'
export {
  listOfficeAppointments,
  type AppointmentView,
  type OfficeAppointment,
} from '#domain/orders/office-appointments.server.ts'
export {
  selectAppointmentDays,
  selectNextAppointments,
  selectSalesDays,
  selectSoldTires,
  type AppointmentDay,
  type NextAppointment,
  type SalesDay,
} from '#domain/orders/home-figures.sql.server.ts'
export { listOrdersToConfirm, listUncapturedOrders } from '#domain/orders/office-queues.sql.server.ts'
export { searchOrders } from '#domain/orders/office-search.server.ts'
export { calendarAttachments, orderAppointment, orderTrackUrl } from '#domain/orders/order-messages.server.ts'
export { changeFleetPacket, mayChangePacket } from '#domain/orders/fleet-packet.server.ts'
export {
  keepPacket,
  selectFleetOrders,
  selectPacket,
  withPackets,
  type FleetOrder,
} from '#domain/orders/fleet-packet.sql.server.ts'
export { readVinEnd, recordVin } from '#domain/orders/order-vin.server.ts'
export { addOrderNote, longestNote, noteRemovableMinutes, removeOrderNote } from '#domain/orders/order-notes.server.ts'
export {
  selectHappenings,
  selectOrderNotes,
  type OrderHappening,
  type OrderNote,
} from '#domain/orders/order-story.sql.server.ts'
export { forEachDelivered, isReminderOver, remindOfAppointments } from '#domain/orders/order-reminders.server.ts'
export { orderTextContent } from '#domain/orders/order-texts.server.ts'
export { lookUpOrder } from '#domain/orders/look-up.server.ts'
export {
  hasLineRefunds,
  insertOrderNote,
  lockOrder,
  lockShipments,
  updateCancelUntil,
  updatePromise,
} from '#domain/orders/order-life.sql.server.ts'
export { selectOrderTires } from '#domain/orders/change-order.sql.server.ts'
export { replaceParcels, updatePlace, type OrderPlace } from '#domain/orders/change-place.sql.server.ts'
export { findToActOn, record as recordOrderAct } from '#domain/orders/staff-acts.server.ts'
export { selectPaidLines, type PaidLine } from '#domain/orders/paid-lines.sql.server.ts'
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
} from '#domain/orders/warehouse-counter.server.ts'
export { moveShipment } from '#domain/orders/order-life.sql.server.ts'
export { receiptOf } from '#domain/orders/receipt.server.ts'
