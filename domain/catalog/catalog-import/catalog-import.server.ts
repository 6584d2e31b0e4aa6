/** Imports of supplier feeds, for the commands, the worker and the back office. */
export { mostDifferences, selectDifference } from './difference.sql.server.ts'
export {
  addBrand,
  addLine,
  addTire,
  changeBrand,
  changeLine,
  changeTire,
  findBrandCells,
  findLineCells,
  findTireCells,
  retireBrand,
  retireLine,
} from './hand-edits.server.ts'
export { addTireType, changeTireType, listTireTypes, retireTireType, type TireTypeLevel } from './tire-types.server.ts'
export { brandForm, lineForm, newBrandForm, newLineForm, newTireForm, tireForm } from './hand-cells.ts'
export type { ColumnSource } from './guess-columns.ts'
export { checkImportAgain, isCheckable, listUnknownCategories } from './check-again.server.ts'
export {
  askImport,
  awaitImport,
  discardImport,
  findUploadColumns,
  startImport,
  startImportIn,
  type AskRefusal,
} from './office-imports.server.ts'
export { loadPictures } from './import-pictures.server.ts'
export { selectPictures as readImportPictures, type ImportPictures } from './import-pictures.sql.server.ts'
export {
  findPriceOfCompetitor,
  listPricesOfCompetitors,
  removeCompetitorPrice,
} from './competitor-price-list.server.ts'
export { listCompetitorPrices } from './publish-competitor-prices.sql.server.ts'
export { eraseStagedCustomers } from './publish-customers.sql.server.ts'
export { selectCountTimes as readStockCountTimes } from './publish-stock.sql.server.ts'
export type { FeedSource } from './read-rows.server.ts'
export type { ChangedSince } from './roll-back.sql.server.ts'
export {
  findImport,
  importFeed,
  listImports,
  listRefusedRows,
  reportOf,
  resumeImport,
  rollBackImport,
  type ImportDeps,
  type ImportProgress,
  type ImportRequest,
  type ResumeRefusal,
  type RollBackRefusal,
} from './run-imports.server.ts'
export {
  awaitSampleTires,
  loadSampleTires,
  readSampleTires,
  removeSampleTires,
  type SampleTires,
} from './samples.server.ts'
export { listSizeLists, removeSizeList } from './size-lists.server.ts'
export type { SizeList } from './size-lists.sql.server.ts'
export { discardUpload, findUploadDigest, storeUpload } from './uploads.server.ts'
export { workOnImport } from './work-on-import.server.ts'
