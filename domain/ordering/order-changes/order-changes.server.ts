/** Edits of an order's shop or fulfillment, including settlement of the price difference. */
export {
  changeOrder,
  changeOrderAsShopper,
  previewChange,
  type AskedChange,
  type ChangeOutcome,
  type ChangePreview,
  type ShopperRefusal,
} from './change-order.server.ts'
export { withdrawChange } from './end-change.server.ts'
export { changedText, changeMessageValues, placeText as changePlaceText } from './change-messages.server.ts'
export {
  changeLink,
  expireChanges,
  finishPaidChanges,
  payForChange,
  readChange,
  type PayRefusal,
} from './pay-change.server.ts'
export { listPlaces, type PlaceChoice } from './plan-change.server.ts'
export { changeMadeFrom, selectDoneChanges, selectOpenChange, type OrderChange } from './order-changes.sql.server.ts'
