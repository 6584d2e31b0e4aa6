/** Every operation of the API, in the order of the document. */
import type { Operation } from '#api/operation.ts'
import { accountOperations } from '#api/routes/account.ts'
import { appOperations } from '#api/routes/apps.ts'
import { appointmentOperations } from '#api/routes/appointments.ts'
import { earlierTimeOperations } from '#api/routes/earlier-times.ts'
import { nextShopOperations } from '#api/routes/next-shops.ts'
import { articleOperations } from '#api/routes/articles.ts'
import { cartOperations } from '#api/routes/cart.ts'
import { checkoutOperations } from '#api/routes/checkout.ts'
import { wholeCheckoutOperations } from '#api/routes/checkouts.ts'
import { partOperations } from '#api/routes/parts.ts'
import { companyOperations } from '#api/routes/companies.ts'
import { companyMemberOperations } from '#api/routes/company-members.ts'
import { companyOrderOperations } from '#api/routes/company-orders.ts'
import { pickupOperations } from '#api/routes/pickups.ts'
import { deliveryOperations } from '#api/routes/delivery.ts'
import { exchangeOperations } from '#api/routes/exchange.ts'
import { findingOperations } from '#api/routes/finding.ts'
import { garageOperations } from '#api/routes/garage.ts'
import { helpOperations } from '#api/routes/help.ts'
import { listingOperations } from '#api/routes/listings.ts'
import { membershipOperations } from '#api/routes/membership.ts'
import { orderCodeOperations } from '#api/routes/order-codes.ts'
import { orderOperations } from '#api/routes/orders.ts'
import { placeOperations } from '#api/routes/places.ts'
import { placingOperations } from '#api/routes/placing.ts'
import { programOperations } from '#api/routes/programs.ts'
import { returnOperations } from '#api/routes/returns.ts'
import { reviewOperations } from '#api/routes/reviews.ts'
import { sessionOperations } from '#api/routes/sessions.ts'
import { shopOperations } from '#api/routes/shops.ts'
import { webhookOperations } from '#api/routes/webhooks.ts'
import { vehicleOperations } from '#api/routes/vehicles.ts'

export const operations: readonly Operation[] = [
  ...findingOperations,
  ...listingOperations,
  ...articleOperations,
  ...vehicleOperations,
  ...placeOperations,
  ...shopOperations,
  ...cartOperations,
  ...partOperations,
  ...deliveryOperations,
  ...pickupOperations,
  ...checkoutOperations,
  ...wholeCheckoutOperations,
  ...exchangeOperations,
  ...placingOperations,
  ...orderOperations,
  ...earlierTimeOperations,
  ...nextShopOperations,
  ...appointmentOperations,
  ...orderCodeOperations,
  ...returnOperations,
  ...reviewOperations,
  ...accountOperations,
  ...sessionOperations,
  ...appOperations,
  ...garageOperations,
  ...membershipOperations,
  ...programOperations,
  ...companyOperations,
  ...companyMemberOperations,
  ...companyOrderOperations,
  ...webhookOperations,
  ...helpOperations,
]
