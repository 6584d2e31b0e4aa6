/** The catalog's use cases. They take a catalog from `createCatalog`, one per process, which includes the cache. */
export { selectItemSizes } from './item-sizes.sql.server.ts'
export { brandName, selectBrandNames as listBrandNames } from './brand-names.sql.server.ts'
export { andBrand, andLine } from './brand-range.sql.server.ts'
export {
  lineAddresses,
  listBrandKinds,
  findForSale,
  listForSale,
  sizeAddresses,
  type AddressGroup,
  type AddressSource,
  type ForSale,
  type LineAddresses,
  type SizeCombination,
} from './addresses.server.ts'
export {
  announceCatalogChange,
  forgetOldStockChanges,
  readCatalogChanges,
  watchCatalog,
  type CatalogWatch,
} from './catalog-version.server.ts'
export {
  addImportedPicture,
  addPicture,
  describeBrand,
  describeLine,
  describePicture,
  findOfficeBrand,
  findOfficeItem,
  findOfficeLine,
  hideItem,
  listCategories,
  listOfficeBrands,
  listOfficeItems,
  listPictures,
  markOf,
  movePicture,
  removeImportedPictures,
  removePicture,
  setBrandLogo,
} from './office-catalog.server.ts'
export {
  insertBrand,
  insertItem,
  insertLine,
  lockBrandCells,
  lockLineCells,
  lockTireCells,
  selectBrandCells,
  selectLineCells,
  selectTireCells,
  setRetired,
  updateBrand,
  updateItem,
  updateLine,
  upsertSize,
  type StoredLine,
  type StoredTire,
} from './hand-edits.sql.server.ts'
export {
  insertCategory,
  insertTireType,
  lockCategories,
  lockTireTypes,
  orderTireTypes,
  selectOfficeCategories,
  selectOfficeTireTypes,
  setTireTypeRetired,
  updateTireType,
  type OfficeCategory,
  type OfficeTireType,
  type TireTypeTable,
} from './tire-types.sql.server.ts'
export {
  countTiresAbove,
  mostTiresAbove,
  selectPicture,
  type ItemQuery,
  type OfficeItem,
  type PictureOwner,
} from './office-catalog.sql.server.ts'
export { catalogFor } from './buyer-catalog.server.ts'
export { findCatalogIds } from './catalog-ids.sql.server.ts'
export {
  deleteRebate,
  insertRebate,
  lockRebate,
  selectOfficeRebates,
  selectRebateTwin,
  updateRebate,
  updateRebateCorrection,
  updateRebateSchedule,
  type OfficeRebate,
} from './rebates.sql.server.ts'
export { findItems, findModels } from './find-items.sql.server.ts'
export { findOffers, type OfferView } from './comparison.server.ts'
export {
  dealsAlike,
  findDeal,
  findRebate,
  listDeals,
  listDealsDuring,
  listRebates,
  type Deal,
  type DealPage,
  type RebatePage,
  type RunningRebate,
} from './deals.server.ts'
export {
  getHomeRows,
  listBrands,
  findUnsoldKind,
  listKinds,
  listLines,
  listSizes,
  listUsualSizes,
  type HomeRows,
  type Kind,
} from './home.server.ts'
export {
  groupOffers,
  listModels,
  listTires,
  recommendTires,
  sizePairsOf,
  type Alternative,
  type Group,
  type Groups,
  type Listing,
  type ListingInput,
  type ListingScope,
  type ModelListing,
  type NothingThere,
  type ScopeNames,
  type SizePair,
} from './listing.server.ts'
export {
  findMapPrice,
  listMapPrices,
  latestMapVersion,
  lockMinimums,
  lockPromotedPrices,
  mapPricesOf,
  promotionPrice,
  selectDeepestCut,
  selectReduced,
  setMapPrices,
  tiresBelowMap,
  type MapPrice,
  type NewMapPrice,
  type PlannedReduction,
  type ReducedTire,
  type TireBelowMap,
} from './map-prices.sql.server.ts'
export {
  deletePromotion,
  insertExclusions,
  insertPromotion,
  lockPromotion,
  selectExclusions,
  updatePromotionEnd,
} from './plan-promotion.sql.server.ts'
export { selectPromotions } from './promotion.sql.server.ts'
export { filterJson, filterLabel, findOrAddFilter, isInFilter, selectFiltered } from './tire-filter.sql.server.ts'
export { judging as vehicleJudge, offeredTire } from './fit.ts'
export { listOtherSizes } from './other-sizes.server.ts'
export { selectAnyItem } from './catalog-cache.sql.server.ts'
export { findItem, getProduct, type Product, type ProductInput, type Sibling } from './product.server.ts'
export { reviewJson, type Review, type TopReview } from './product.sql.server.ts'
export { resolveQuery, suggest } from './search.server.ts'
export { createCatalog, type Catalog } from './catalog-cache.server.ts'
export type { BrandEntry, KindEntry, SizeEntry, Wordmark } from './directory.sql.server.ts'
