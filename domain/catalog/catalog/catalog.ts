/** The catalog's terms and pure parts. Safe in the browser. */
export { arrivalFrom } from './arrival.ts'
export { cardOf, type Card, type CardItem } from './card.ts'
export { addTireKey, isTireKey, mostCompared, parseTireKeys, type KeysRead, type TireKeys } from './comparison.ts'
export { ageRefusalOf, unitsForSale, verdictOn, type Judged } from './fit.ts'
export { type BrandRange } from './brand-range.ts'
export * from './items.ts'
export type { Facet, FacetOption, ModelOffer } from './listing.ts'
export type { Offer } from './offer.ts'
export type { Pick, PickReason } from './picks.ts'
export { sizeBasis, type OtherSize } from './other-sizes.ts'
export {
  descriptionForm,
  itemStatuses,
  itemStatusForm,
  longestDescription,
  longestPictureText,
  mostPictures,
  choosePictureForm,
  describePictureForm,
  movePictureForm,
  pictureForm,
  plainWordmark,
  type ItemStatus,
} from './office-catalog.ts'
export type { Place, StorePage } from './place.ts'
export { priceInCartText } from './map-price.ts'
export { isActive, promotionOf, type Price, type PriceBook, type Promotion, type Rebate } from './promotion.ts'
export * from './query.ts'
export { parseAnswers, questions, type Answers, type Recommendation } from './recommend.ts'
export type { Resolution } from './search.ts'
export type { Suggestion, SuggestionKind } from './search-ranked.ts'
export { endOfDeal, saleNames, saleOf, type Sale, type SaleName } from './sale-days.ts'
export { scoreExample, scoreRules, type ScoreRules } from './score.ts'
export { specsOf, type Spec } from './specs.ts'
export { filterParts, filterSeasons, filterVehicleClasses, type FilterPart, type TireFilter } from './tire-filter.ts'
export { maxTireTypeName, maxTireTypeText, maxTireTypes, tireTypeForm, type TireTypeDraft } from './tire-type-form.ts'
