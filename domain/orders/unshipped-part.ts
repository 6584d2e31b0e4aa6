/** The units of a line in one parcel that has not shipped. Safe in the browser. */
export type UnshippedPart = { lineNo: number; warehouseId: number; shipmentId: string; units: number }
