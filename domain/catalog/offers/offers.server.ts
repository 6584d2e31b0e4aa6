/** Prices of tires out the door near a shopper, and when they can be installed there. */
export {
  firstTimesAt,
  type FirstTimes,
  type InstallationTimes,
  type InstalledOffer,
  type NearbyOffers,
  type OfferAsk,
} from './offers-near.server.ts'
export {
  milesText,
  readNearby,
  readOffersNear,
  readPlace,
  readShippingTo,
  shippingOfOffer,
  timeAt,
  type Nearby,
  type ShippingTo,
} from './nearby.server.ts'
