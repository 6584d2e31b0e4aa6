/** A line's units in one unshipped parcel. Safe in the browser. */
export type UnshippedPart = { lineNo: number; warehouseId: number; shipmentId: string; units: number }
