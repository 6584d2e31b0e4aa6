import { type RouteConfig, index, route } from '@react-router/dev/routes'
import { fixedPages } from './content/fixed-pages.ts'

/** Every address of the store, in one list. */
export default [
  index('routes/storefront/home.tsx'),
  route('zip', 'routes/storefront/zip.tsx'),
  route('zip/nearest', 'routes/storefront/zip-nearest.ts'),

  route('find', 'routes/storefront/find.tsx'),
  route('finder/choices', 'routes/storefront/finder-choices.ts'),
  route('finder/size', 'routes/storefront/finder-size.ts'),
  route('fitment/confirmation', 'routes/storefront/fitment-confirmation.tsx'),
  route('fitment/my-vehicle', 'routes/storefront/my-vehicle.ts'),
  route('search', 'routes/storefront/search.tsx'),
  route('search/suggestions', 'routes/storefront/search-suggestions.ts'),

  route('tire-size-camera', 'routes/camera/camera.tsx'),

  route('vehicles', 'routes/storefront/vehicles.tsx'),
  route('vehicles/:makeTires', 'routes/storefront/make.tsx'),
  route('vehicles/:make/:model', 'routes/storefront/model.tsx'),
  route('vehicles/:make/:model/:year', 'routes/storefront/vehicle-listing.tsx'),

  route('tire-sizes', 'routes/storefront/sizes.tsx'),
  route('tire-sizes/diameter/:rim', 'routes/storefront/rim.tsx'),
  ...[
    'tire-sizes/:size',
    'tire-sizes/:size/categories/:category',
    'tire-sizes/:size/types/:type',
    'tire-sizes/:size/brands/:brand',
    'tire-sizes/:size/brands/:brand/types/:type',
    'tire-sizes/:size/brands/:brand/categories/:category',
  ].map((path) => route(path, 'routes/storefront/size-listing.tsx', { id: path })),

  route('brands', 'routes/storefront/brands.tsx'),
  route('brands/:brand/types', 'routes/storefront/brand-kinds.tsx', { id: 'brands/:brand/types' }),
  route('brands/:brand/categories', 'routes/storefront/brand-kinds.tsx', { id: 'brands/:brand/categories' }),
  route('types', 'routes/storefront/kinds.tsx', { id: 'types' }),
  route('categories', 'routes/storefront/kinds.tsx', { id: 'categories' }),
  ...['brands/:brand', 'brands/:brand/types/:type', 'brands/:brand/categories/:category', 'types/:type', 'categories/:category'].map((path) =>
    route(path, 'routes/storefront/line-listing.tsx', { id: path }),
  ),

  ...['brands/:brand/:productLine', 'brands/:brand/:productLine/p', 'brands/:brand/:productLine/p/:itemId'].map((path) =>
    route(path, 'routes/storefront/product.tsx', { id: path }),
  ),

  route('learn', 'routes/learn/learn.tsx'),
  route('learn/tire-basics/how-to-read-a-sidewall', 'routes/learn/sidewall-guide.tsx'),
  route('learn/tire-news-information/tire-dictionary', 'routes/learn/dictionary.tsx'),
  route('learn/:section', 'routes/learn/learn-section.tsx'),
  route('learn/:section/:slug', 'routes/learn/lesson.tsx'),
  route('tire-buying-guide', 'routes/learn/buying-guide.tsx'),
  route('car-talk', 'routes/learn/car-talk.tsx'),
  route('press', 'routes/learn/press.tsx'),
  route('press/:section', 'routes/learn/press-section.tsx'),
  route('press/:section/:slug', 'routes/learn/press-piece.tsx'),

  route('brands/:brand/:productLine/reviews', 'routes/reviews/line-reviews.tsx'),
  route('brands/:brand/:productLine/write-a-review', 'routes/reviews/write-review.tsx'),
  ...['brands/:brand/reviews', 'types/:type/reviews', 'categories/:category/reviews'].map((path) =>
    route(path, 'routes/reviews/scope-reviews.tsx', { id: path }),
  ),
  route('tire-reviews', 'routes/reviews/hub.tsx'),
  route('tire-reviews/:section', 'routes/reviews/section.tsx'),
  route('tire-deals', 'routes/storefront/deals.tsx'),
  ...['tire-deals/black-friday-sale', 'tire-deals/cyber-monday-sale'].map((path) => route(path, 'routes/storefront/deal-sale.tsx', { id: path })),
  route('tire-deals/:deal', 'routes/storefront/deal.tsx'),
  route('tire-deals/:deal/form', 'routes/storefront/rebate-form.tsx'),

  route('tire-shops', 'routes/shops/tire-shops.tsx'),
  route('tire-shops/:urbanArea', 'routes/shops/urban-area.tsx'),
  route('tire-shops/shop/:shopName/:shopCode', 'routes/shops/tire-shop.tsx'),

  route('compare', 'routes/storefront/compare.tsx'),
  route('compare/choice', 'routes/storefront/compare-choice.ts'),
  route('recommendations', 'routes/storefront/recommendations.tsx'),
  route('tire-score', 'routes/storefront/tire-score.tsx'),
  route('warranties', 'routes/storefront/warranties.tsx'),

  route('licenses', 'routes/storefront/licenses.tsx'),
  ...Object.keys(fixedPages).map((path) => route(path, 'routes/content/written-page.tsx', { id: path })),
  route('privacy-choices', 'routes/content/privacy-choices.tsx'),
  route('privacy-choices/asks', 'routes/content/privacy-asks.ts'),
  route('faqs', 'routes/content/faqs.tsx'),
  route('help-center', 'routes/content/help-center.tsx'),
  route('sitemap', 'routes/content/site-map.tsx'),
  route('contact', 'routes/content/contact.tsx'),
  route('tire-sales', 'routes/content/tire-sales.tsx'),
  ...['contact/thanks', 'tire-sales/thanks'].map((path) => route(path, 'routes/content/thanks.tsx', { id: path })),
  route('cart', 'routes/checkout/cart.tsx'),
  route('cart/summary', 'routes/checkout/cart-summary.tsx'),
  route('cart/contents', 'routes/checkout/cart-contents.ts'),
  route('checkout/shipping', 'routes/checkout/shipping.tsx'),
  route('checkout/shipping-confirmation', 'routes/checkout/shipping-confirmation.tsx'),
  route('checkout/services', 'routes/checkout/services.tsx'),
  route('checkout/payments', 'routes/checkout/payments.tsx'),
  route('checkout/payments/return', 'routes/checkout/payment-return.tsx'),
  route('checkout/payments/:type', 'routes/checkout/payment-method.tsx'),
  route('checkout/order-summary', 'routes/checkout/order-summary.tsx'),
  route('checkout/order-confirmation', 'routes/checkout/order-confirmation.tsx'),
  route('checkout/order-confirmation/calendar.ics', 'routes/checkout/calendar.ts'),
  route('checkout/confirm-order/:orderId', 'routes/checkout/confirm-order.tsx'),

  ...['sign-in', 'register'].map((path) => route(path, 'routes/account/sign-in.tsx', { id: path })),
  route('api/docs', 'routes/api/docs.tsx'),
  route('api/sso-landing', 'routes/account/sso-landing.tsx'),
  route('account', 'routes/account/account.tsx'),
  route('account/my-orders', 'routes/account/my-orders.tsx'),
  route('account/my-garage', 'routes/account/my-garage.tsx'),
  route('account/addresses', 'routes/account/my-addresses.tsx'),
  route('account/data.json', 'routes/account/account-data.ts'),
  route('account/delete', 'routes/account/delete-account.tsx'),
  route('sign-out', 'routes/account/sign-out.ts'),

  route('membership', 'routes/programs/membership.tsx'),
  route('membership/return', 'routes/programs/membership-return.ts'),
  route('invite', 'routes/programs/invite.tsx'),
  route('invite/:code', 'routes/programs/invited.tsx'),
  route('advocate-dashboard', 'routes/programs/advocate-dashboard.tsx'),

  route('track-your-order', 'routes/orders/track.tsx'),
  route('track-your-order/result', 'routes/orders/result.tsx'),
  route('my_customers/pdf/:orderId/:customerId/:file', 'routes/orders/receipt.ts'),
  // Landing pages: whatever is not named above.
  route(':slug', 'routes/content/written-page.tsx', { id: 'landing' }),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
